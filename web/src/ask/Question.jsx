// One question, with its reason.
import { useRef, useState } from 'preact/hooks';
import { Answers } from './Answers.jsx';
import { Field, useErrorText } from './Field.jsx';
import { Progress } from './Progress.jsx';
import { Refuse } from './Refuse.jsx';
import { Trouble } from './Trouble.jsx';
import { entryOf, held, readEntry } from './values.js';
import { useWords } from './words.js';

function Why({ next }) {
    const { t } = useWords();
    const { settles, without } = next.why;
    const tenths = Math.min(9, Math.max(1, Math.round(10 * settles)));
    const words =
        next.role === 'public' || settles === undefined
            ? t.question.whyPublic
            : `${t.question.settles(settles, tenths)} ${t.question.without(without)}`;
    return (
        <div class="why">
            <strong>{t.question.whyTitle}</strong> {words}
        </div>
    );
}

export function Question({ model, way }) {
    const { t, mark } = useWords();
    const { journey, view, busy } = way;
    const { reply, answer } = journey.steps[view.at];
    const { next } = reply;
    const errorText = useErrorText();
    const form = useRef(null);
    const [entry, setEntry] = useState(() => entryOf(next, answer ?? held(journey.spare, next.name), mark));
    const [error, setError] = useState(null);
    const id = 'answer';

    function change(now) {
        setEntry(now);
        setError(null);
    }

    function submit(event) {
        event.preventDefault();
        const { value, error: wrong } = readEntry(next, entry, mark);
        setError(wrong ?? null);
        if (wrong) form.current.querySelector(`#${id}`).focus();
        else way.answer(view.at, { attribute: next.attribute, value });
    }

    return (
        <form ref={form} noValidate onSubmit={submit}>
            {reply.progress && next.role !== 'public' && <Progress progress={reply.progress} />}
            <Field
                id={id}
                heading
                attribute={next}
                entry={entry}
                onEntry={change}
                error={error && errorText(next, error)}
            >
                <Why next={next} />
            </Field>
            <Trouble trouble={way.trouble} />
            <p class="actions">
                <button type="submit" class="primary">
                    {busy ? t.sending : t.next}
                </button>
                <button type="button" class="quiet" onClick={way.back}>
                    {t.back}
                </button>
            </p>
            <Refuse
                without={next.why?.without}
                onRefuse={() => way.answer(view.at, { attribute: next.attribute, refuse: true })}
            />
            <Answers model={model} way={way} before={view.at} />
        </form>
    );
}
