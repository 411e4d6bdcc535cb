// How far it is, honestly: what was answered, what probably comes, what could come at most.
import { useWords } from './words.js';

const MOST_DOTS = 24;

export function Progress({ progress: { asked, at_most, about } }) {
    const { t } = useWords();
    const likely = Math.min(at_most, Math.max(1, Math.round(about)));
    const dots = Array.from({ length: asked + at_most }, (_, i) =>
        i < asked ? 'past' : i < asked + likely ? 'likely' : 'possible',
    );
    return (
        <div class="progress">
            <p>{t.question.progress(at_most, likely)}</p>
            {dots.length <= MOST_DOTS && (
                <div class="dots" aria-hidden="true">
                    {dots.map((kind, i) => (
                        <span key={i} class={kind} />
                    ))}
                </div>
            )}
        </div>
    );
}
