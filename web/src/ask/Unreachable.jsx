// Not even the list of questions could be had.
import { useState } from 'preact/hooks';
import { Title } from './Frame.jsx';
import { Trouble } from './Trouble.jsx';
import { useWords } from './words.js';

export function Unreachable({ trouble, retry }) {
    const { t } = useWords();
    const [busy, setBusy] = useState(false);
    const again = async () => {
        setBusy(true);
        await retry();
        setBusy(false);
    };
    return (
        <>
            <Title>{t.trouble.title}</Title>
            <Trouble trouble={trouble} />
            <p class="actions">
                <button type="button" class="primary" onClick={again}>
                    {busy ? t.loading : t.retry}
                </button>
            </p>
        </>
    );
}
