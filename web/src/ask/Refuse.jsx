// Not to say is always possible; what it costs is said first.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWords } from './words.js';

/** `without`: how many other questions may be needed instead; undefined for what everybody is asked. */
export function Refuse({ without, onRefuse }) {
    const { t } = useWords();
    const [asking, setAsking] = useState(false);
    const title = useRef(null);
    const opener = useRef(null);
    const was = useRef(false);

    useLayoutEffect(() => {
        if (asking) title.current.focus();
        else if (was.current) opener.current.focus();
        was.current = asking;
    }, [asking]);

    if (!asking)
        return (
            <button ref={opener} type="button" class="quiet" onClick={() => setAsking(true)}>
                {t.refuse.open}
            </button>
        );
    return (
        <section class="refuse" aria-labelledby="refuse-title">
            <h2 id="refuse-title" ref={title} tabIndex={-1}>
                {t.refuse.title}
            </h2>
            <p>{without === undefined ? t.refuse.costPublic : t.refuse.cost(without)}</p>
            <p>{t.refuse.free}</p>
            <p class="actions">
                <button type="button" onClick={onRefuse}>
                    {t.refuse.confirm}
                </button>
                <button type="button" class="quiet" onClick={() => setAsking(false)}>
                    {t.refuse.cancel}
                </button>
            </p>
        </section>
    );
}
