// Who asks, what for, and what rights there are: what the schema says about that, and nothing where it says nothing.
import { useWords } from './words.js';

const START = ['purpose', 'controller', 'legal_basis', 'retention', 'privacy_notice', 'contact', 'human_review'];
const DONE = ['human_review', 'controller', 'contact', 'privacy_notice'];

function Notices({ title, keys }) {
    const { t, aboutOf } = useWords();
    const said = keys.map((key) => [key, aboutOf(key)]).filter(([, text]) => text);
    if (!said.length) return null;
    return (
        <section class="notices">
            <h2>{title}</h2>
            <dl class="answers">
                {said.map(([key, text]) => (
                    <div key={key}>
                        <dt>{t.notices[key]}</dt>
                        <dd>{text}</dd>
                    </div>
                ))}
            </dl>
        </section>
    );
}

/** Before the first question. */
export function StartNotices() {
    const { t } = useWords();
    return <Notices title={t.notices.startTitle} keys={START} />;
}

/** Beside the decision. */
export function DoneNotices() {
    const { t } = useWords();
    return <Notices title={t.notices.doneTitle} keys={DONE} />;
}
