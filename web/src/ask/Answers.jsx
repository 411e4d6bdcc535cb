// Answers given so far, each of which can be changed.  Before the end they are folded away.
import { countsAs, countsTypical } from './values.js';
import { useWords } from './words.js';

export function Row({ label, value, onChange }) {
    const { t } = useWords();
    return (
        <div>
            <dt>{label}</dt>
            <dd>{value}</dd>
            {onChange && (
                <dd class="change">
                    <button type="button" class="quiet" aria-label={t.check.changeOf(label)} onClick={onChange}>
                        {t.check.change}
                    </button>
                </dd>
            )}
        </div>
    );
}

/** What was answered, in words. */
export function useAnswerText() {
    const { t, shown } = useWords();
    return (attribute, { value, refuse }) => {
        if (refuse) return <em>{t.check.refused}</em>;
        if (value === null) return <em>{countsTypical(attribute) ? t.check.unknown : t.check.unknownLevel}</em>;
        const end = countsAs(attribute, value);
        return `${shown(attribute, value)}${end === null ? '' : ` ${t.check.counted(shown(attribute, end))}`}`;
    };
}

export function AnswerList({ way, before = Infinity }) {
    const { labelOf } = useWords();
    const text = useAnswerText();
    const given = way.journey.steps
        .map((step, at) => ({ ...step, at }))
        .filter(({ answer, at }) => answer && at < before);
    return (
        <dl class="answers">
            {given.map(({ reply: { next }, answer, at }) => (
                <Row
                    key={at}
                    label={labelOf(next)}
                    value={text(next, answer)}
                    onChange={() => way.show({ page: 'question', at })}
                />
            ))}
        </dl>
    );
}

export function Answers({ way, before }) {
    const { t } = useWords();
    if (!before) return null;
    return (
        <details class="sofar">
            <summary>
                {t.check.answersTitle} ({before})
            </summary>
            <AnswerList way={way} before={before} />
        </details>
    );
}
