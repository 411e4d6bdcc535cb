// A choice of many: a list, and a field above that shortens it.
import { useState } from 'preact/hooks';
import { choicesOf } from './values.js';
import { useWords } from './words.js';

const ROWS = 8;

export function LongChoice({ id, attribute, entry, onEntry, error, describedBy }) {
    const { t, shown } = useWords();
    const [filter, setFilter] = useState('');
    const all = choicesOf(attribute);
    const wanted = filter.trim().toLowerCase();
    const some = all.filter((level) => shown(attribute, level).toLowerCase().includes(wanted));
    const choose = (text) => onEntry({ text, unknown: false });

    // Enter in the filter takes the only choice left; in the list it sends the form, as in any other field.
    function typed(event) {
        setFilter(event.currentTarget.value);
    }
    function entered(event) {
        if (event.key !== 'Enter') return;
        const inFilter = event.currentTarget.tagName === 'INPUT';
        event.preventDefault();
        if (inFilter && some.length === 1) choose(some[0]);
        else if (!inFilter) event.currentTarget.form.requestSubmit();
    }

    return (
        <div class="long">
            <label for={`${id}-filter`} class="help">
                {t.question.filter}
            </label>
            <input
                id={`${id}-filter`}
                type="search"
                autocomplete="off"
                value={filter}
                disabled={entry.unknown}
                aria-controls={id}
                onInput={typed}
                onKeyDown={entered}
            />
            <select
                id={id}
                size={ROWS}
                disabled={entry.unknown}
                aria-invalid={!!error}
                aria-describedby={describedBy}
                onChange={(event) => choose(event.currentTarget.value)}
                onKeyDown={entered}
            >
                {some.map((level) => (
                    <option key={level} value={level} selected={!entry.unknown && entry.text === level}>
                        {shown(attribute, level)}
                    </option>
                ))}
            </select>
            <p class="help" role="status">
                {t.question.shown(some.length, all.length)}
            </p>
        </div>
    );
}
