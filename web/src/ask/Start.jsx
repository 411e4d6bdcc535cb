// What this is, everything that might be asked, and what is kept.
import { Title } from './Frame.jsx';
import { StartNotices } from './Notices.jsx';
import { Trouble } from './Trouble.jsx';
import { askable } from './values.js';
import { useWords } from './words.js';

function Questions({ attributes }) {
    const { t, labelOf, helpOf, specialOf } = useWords();
    return (
        <ul class="questions">
            {attributes.map((attribute) => (
                <li key={attribute.name}>
                    {labelOf(attribute)}
                    {helpOf(attribute) && <span class="help">{helpOf(attribute)}</span>}
                    {specialOf(attribute) && <span class="help">{t.start.special(specialOf(attribute))}</span>}
                </li>
            ))}
        </ul>
    );
}

function Preset({ attributes, preset }) {
    const { t, labelOf, shown } = useWords();
    return (
        <section>
            <h2>{t.start.presetTitle}</h2>
            <p class="help">{t.start.presetNote}</p>
            <dl class="answers">
                {attributes.map((attribute) => (
                    <div key={attribute.name}>
                        <dt>{labelOf(attribute)}</dt>
                        <dd>
                            {preset[attribute.name] === null
                                ? t.question.unknown
                                : shown(attribute, preset[attribute.name])}
                        </dd>
                    </div>
                ))}
            </dl>
        </section>
    );
}

export function Start({ model, way, preset }) {
    const { t, list, decided, outcome } = useWords();
    const open = askable(model, 'sensitive');
    const everybody = askable(model, 'public').filter(({ name }) => !Object.hasOwn(preset, name));
    const given = model.attributes.filter(({ name }) => Object.hasOwn(preset, name));
    const begin = () => (everybody.length ? way.show({ page: 'public' }) : way.start(preset, Object.keys(preset)));

    return (
        <>
            <Title>{t.start.title}</Title>
            <p class="lead">{t.start.lead(decided(), list(model.classes.map(outcome), t.or))}</p>
            <Trouble trouble={way.trouble} />
            <p class="actions">
                <button type="button" class="primary" onClick={begin}>
                    {way.busy ? t.sending : t.start.begin}
                </button>
            </p>
            <StartNotices />
            {given.length > 0 && <Preset attributes={given} preset={preset} />}
            {everybody.length > 0 && (
                <section>
                    <h2>{t.start.publicTitle}</h2>
                    <Questions attributes={everybody} />
                </section>
            )}
            <section>
                <h2>{open.length ? t.start.mightTitle(open.length) : t.start.noneMight}</h2>
                {open.length > 0 && <p class="help">{t.start.mightNote}</p>}
                <Questions attributes={open} />
            </section>
            <section>
                <h2>{t.start.keptTitle}</h2>
                <ul class="kept">
                    {t.start.kept.map((line) => (
                        <li key={line}>{line}</li>
                    ))}
                </ul>
            </section>
        </>
    );
}
