// All answers once more, before the decision is shown.
import { AnswerList, Row, useAnswerText } from './Answers.jsx';
import { Title } from './Frame.jsx';
import { lastStep } from './journey.js';
import { useWords } from './words.js';

function Known({ title, attributes, known, onChange }) {
    const { labelOf } = useWords();
    const text = useAnswerText();
    if (!attributes.length) return null;
    return (
        <section>
            <h2>{title}</h2>
            <dl class="answers">
                {attributes.map((attribute) => (
                    <Row
                        key={attribute.name}
                        label={labelOf(attribute)}
                        value={text(attribute, { value: known[attribute.name] })}
                        onChange={onChange}
                    />
                ))}
            </dl>
        </section>
    );
}

export function Check({ model, way }) {
    const { t } = useWords();
    const { known, preset, steps } = way.journey;
    const settled = lastStep(way.journey).reply.decision.status !== 'unsettled';
    const publicly = model.attributes.filter(({ name }) => Object.hasOwn(known, name));
    return (
        <>
            <Title>{t.check.title}</Title>
            <p class="lead">{settled ? t.check.lead : t.check.leadOpen}</p>
            <Known
                title={t.check.presetTitle}
                attributes={publicly.filter(({ name }) => preset.includes(name))}
                known={known}
            />
            <Known
                title={t.check.publicTitle}
                attributes={publicly.filter(({ name }) => !preset.includes(name))}
                known={known}
                onChange={() => way.show({ page: 'public' })}
            />
            <section>
                <h2>{t.check.answersTitle}</h2>
                {steps.length > 1 ? <AnswerList way={way} /> : <p>{t.check.none}</p>}
            </section>
            <p class="actions">
                <button type="button" class="primary" onClick={way.finish}>
                    {t.check.show}
                </button>
                <button type="button" class="quiet" onClick={way.back}>
                    {t.back}
                </button>
            </p>
        </>
    );
}
