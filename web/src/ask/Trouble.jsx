// What went wrong between this page and the server, and what the person can do.
import { useWords } from './words.js';

export function Trouble({ trouble }) {
    const { t } = useWords();
    if (!trouble) return null;
    const { kind, code, detail, wait } = trouble;
    const words = kind === 'busy' ? t.trouble.busy(wait) : t.trouble[kind];
    return (
        <div role="alert" class="trouble">
            <p>{words}</p>
            {kind === 'input' && detail && <p class="detail">{detail}</p>}
            {kind === 'server' && (
                <p class="detail">
                    {t.trouble.code}: {code}
                </p>
            )}
        </div>
    );
}
