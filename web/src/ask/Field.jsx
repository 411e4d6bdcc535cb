// One attribute as something to fill in: a number, a choice of a few, a choice of many, yes or no.
//
// `entry` is what it holds, { text, unknown }; `error` what is wrong with it, or null.  With `heading`, the question is
// the heading of the page.  Children stand between the question and the field.
import { Title } from './Frame.jsx';
import { LongChoice } from './LongChoice.jsx';
import { choicesOf, countsTypical, isNumber, yesOrNo } from './values.js';
import { useWords } from './words.js';

const FEW = 7; // more choices than this are a list to search

const describedBy = (...ids) => ids.filter(Boolean).join(' ') || undefined;

function Error({ id, children }) {
    return children ? (
        <p id={id} class="error">
            {children}
        </p>
    ) : null;
}

function Unknown({ attribute, entry, onEntry }) {
    const { t } = useWords();
    return (
        <label class="tick">
            <input
                type="checkbox"
                checked={entry.unknown}
                onChange={(event) => onEntry({ ...entry, unknown: event.currentTarget.checked })}
            />
            <span>
                {t.question.unknown}{' '}
                <span class="soft">
                    {countsTypical(attribute) ? t.question.unknownNote : t.question.unknownLevel}
                </span>
            </span>
        </label>
    );
}

function NumberField({ id, attribute, entry, onEntry, error, helpId }) {
    const { t, number } = useWords();
    const whole = attribute.type === 'integer';
    return (
        <>
            <p id={`${id}-hint`} class="help">
                {t.question.number(whole, number(attribute.min), number(attribute.max), attribute.as_given)}
            </p>
            <Error id={`${id}-error`}>{error}</Error>
            <input
                id={id}
                class="number"
                type="text"
                inputMode={attribute.min < 0 ? 'text' : whole ? 'numeric' : 'decimal'}
                autocomplete="off"
                value={entry.text}
                disabled={entry.unknown}
                aria-invalid={!!error}
                aria-describedby={describedBy(helpId, `${id}-hint`, error && `${id}-error`)}
                onInput={(event) => onEntry({ text: event.currentTarget.value, unknown: false })}
            />
            {attribute.missing_allowed && <Unknown attribute={attribute} entry={entry} onEntry={onEntry} />}
        </>
    );
}

function Radios({ id, attribute, entry, onEntry, error }) {
    const { t, shown } = useWords();
    const choices = choicesOf(attribute);
    const pair = yesOrNo(attribute);
    const ordered = pair ? [pair.yes, pair.no] : choices;
    return (
        <>
            <Error id={`${id}-error`}>{error}</Error>
            <div class={pair ? 'radios pair' : 'radios'}>
                {ordered.map((level, i) => (
                    <label key={level} class="card">
                        <input
                            id={i ? undefined : id}
                            type="radio"
                            name={id}
                            checked={!entry.unknown && entry.text === level}
                            onChange={() => onEntry({ text: level, unknown: false })}
                        />
                        <span>{shown(attribute, level)}</span>
                    </label>
                ))}
            </div>
            {attribute.missing_allowed && (
                <label class="card unknown">
                    <input
                        type="radio"
                        name={id}
                        checked={entry.unknown}
                        onChange={() => onEntry({ text: '', unknown: true })}
                    />
                    <span>
                        {t.question.unknown} <span class="soft">{t.question.unknownLevel}</span>
                    </span>
                </label>
            )}
        </>
    );
}

export function Field({ id, attribute, entry, onEntry, error, heading = false, children }) {
    const { titleOf, labelOf, helpOf } = useWords();
    const radios = !isNumber(attribute) && choicesOf(attribute).length <= FEW;
    const helpId = helpOf(attribute) ? `${id}-help` : null;
    const help = helpId && (
        <p id={helpId} class="help">
            {helpOf(attribute)}
        </p>
    );
    const question = heading ? titleOf(attribute) : labelOf(attribute);
    const shared = { id, attribute, entry, onEntry, error, helpId };

    if (radios)
        return (
            <fieldset aria-describedby={describedBy(helpId, error && `${id}-error`)}>
                <legend>{heading ? <Title>{question}</Title> : question}</legend>
                {help}
                {children}
                <Radios {...shared} />
            </fieldset>
        );
    const label = <label for={id}>{question}</label>;
    return (
        <div class="field">
            {heading ? <Title>{label}</Title> : label}
            {help}
            {children}
            {isNumber(attribute) ? (
                <NumberField {...shared} />
            ) : (
                <>
                    <Error id={`${id}-error`}>{error}</Error>
                    <LongChoice {...shared} describedBy={describedBy(helpId, error && `${id}-error`)} />
                    {attribute.missing_allowed && <Unknown attribute={attribute} entry={entry} onEntry={onEntry} />}
                </>
            )}
        </div>
    );
}

/** What is wrong with a field, in words. */
export function useErrorText() {
    const { t, number } = useWords();
    return (attribute, error) => {
        if (error !== 'number' && error !== 'whole')
            return error && t.question[`error${attribute.role === 'public' ? 'Public' : 'Empty'}`];
        const middle = (attribute.min + attribute.max) / 2;
        const example = Math.abs(middle) < 10 && error === 'number' ? Math.round(middle * 10) / 10 : Math.round(middle);
        return `${error === 'whole' ? t.question.errorWhole : t.question.errorNumber} ${number(example)}`;
    };
}
