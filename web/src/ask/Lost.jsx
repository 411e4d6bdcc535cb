// The server does not take the token any more.  The answers are still here and need not be typed again.
import { Title } from './Frame.jsx';
import { answersOf } from './journey.js';
import { useWords } from './words.js';

export function Lost({ way, look }) {
    const { t } = useWords();
    const { code } = way.trouble;
    const { known, spare } = way.journey;
    const names = [
        ...Object.keys(known ?? {}),
        ...Object.keys(spare),
        ...answersOf(way.journey).map((a) => a.attribute),
    ];
    const n = new Set(names).size;

    // The model may be another one by now.
    async function resume() {
        const { model } = await look();
        if (model) await way.resume(model);
    }

    return (
        <>
            <Title>{t.trouble.lostTitle}</Title>
            <p class="lead">{t.trouble.lost[code] ?? t.trouble.lost.other}</p>
            <p>{n ? t.trouble.lostStill(n) : t.trouble.lostNone}</p>
            <p class="actions">
                <button type="button" class="primary" onClick={resume}>
                    {way.busy ? t.sending : n ? t.trouble.resume : t.trouble.again}
                </button>
            </p>
        </>
    );
}
