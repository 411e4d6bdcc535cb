// What everybody is asked, on one page.  Fields left empty are pointed out once; who insists goes on without them, and
// they are asked one by one.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field, useErrorText } from './Field.jsx';
import { Title } from './Frame.jsx';
import { Trouble } from './Trouble.jsx';
import { askable, entryOf, held, readEntry } from './values.js';
import { useWords } from './words.js';

export function Public({ model, way, preset }) {
    const { t, mark } = useWords();
    const errorText = useErrorText();
    const { known, preset: names } = way.journey;
    // Once started, what the embedding site said then holds.
    const given = known ? Object.fromEntries(names.map((name) => [name, known[name]])) : preset;
    const fields = askable(model, 'public').filter(({ name }) => !Object.hasOwn(given, name));
    const before = (attribute) => entryOf(attribute, known && { value: held(known, attribute.name) }, mark);
    const [entries, setEntries] = useState({});
    const [errors, setErrors] = useState({});
    const [sent, setSent] = useState(0); // how often, so that every time the errors are read out
    const summary = useRef(null);
    const entryFor = (attribute) => held(entries, attribute.name) ?? before(attribute);
    const wrong = Object.values(errors);

    useLayoutEffect(() => summary.current?.focus(), [sent]);

    function change(name, entry) {
        setEntries((all) => ({ ...all, [name]: entry }));
        setErrors(({ [name]: _, ...rest }) => rest);
    }

    function send(withoutEmpty) {
        const read = fields.map((attribute) => ({ attribute, ...readEntry(attribute, entryFor(attribute), mark) }));
        const bad = read.filter(({ error }) => error && !(withoutEmpty && error === 'empty'));
        setErrors(Object.fromEntries(bad.map(({ attribute, error }) => [attribute.name, error])));
        setSent((n) => n + 1);
        if (bad.length) return;
        const values = read.filter(({ error }) => !error).map(({ attribute, value }) => [attribute.name, value]);
        way.start({ ...given, ...Object.fromEntries(values) }, Object.keys(given));
    }

    return (
        <form
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                send(false);
            }}
        >
            <Title>{fields.length === 1 ? t.public.titleOne : t.public.title}</Title>
            <p class="lead">{fields.length === 1 ? t.public.leadOne : t.public.lead}</p>
            {wrong.length > 0 && (
                <div class="trouble" role="alert" ref={summary} tabIndex={-1}>
                    <p>{t.public.errors(wrong.length)}</p>
                    <ul>
                        {fields
                            .filter(({ name }) => held(errors, name))
                            .map((attribute) => (
                                <ErrorLink
                                    key={attribute.name}
                                    attribute={attribute}
                                    id={`public-${fields.indexOf(attribute)}`}
                                />
                            ))}
                    </ul>
                </div>
            )}
            {fields.map((attribute, i) => (
                <Field
                    key={attribute.name}
                    id={`public-${i}`}
                    attribute={attribute}
                    entry={entryFor(attribute)}
                    onEntry={(entry) => change(attribute.name, entry)}
                    error={errorText(attribute, held(errors, attribute.name))}
                />
            ))}
            <Trouble trouble={way.trouble} />
            <p class="actions">
                <button type="submit" class="primary">
                    {way.busy ? t.sending : t.next}
                </button>
                <button type="button" class="quiet" onClick={way.back}>
                    {t.back}
                </button>
                {wrong.includes('empty') && (
                    <button type="button" class="quiet" onClick={() => send(true)}>
                        {t.public.skip}
                    </button>
                )}
            </p>
        </form>
    );
}

// Leads to the field; a button, since the address stays as it is.
function ErrorLink({ attribute, id }) {
    const { labelOf } = useWords();
    return (
        <li>
            <button type="button" class="link" onClick={() => document.getElementById(id)?.focus()}>
                {labelOf(attribute)}
            </button>
        </li>
    );
}
