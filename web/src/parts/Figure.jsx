// A figure of something (`of`): heading, choices, chart, a note in plain words, and its numbers as a table and as CSV.
// These are called `name` where they are about more than the title says.
import { Chart } from './Chart.jsx';
import { CopyButton } from './CopyButton.jsx';
import { Table, csvOf } from './Table.jsx';

// "δ = 0" stays on one line.
const held = (note) => (typeof note === 'string' ? note.replace(/δ = /g, 'δ\u00a0=\u00a0') : note);

export function Figure({ id, title, name = title, of, choice, draw, label, note, columns, rows, wide }) {
    return (
        <div class={wide ? 'block wide' : 'block'}>
            <figure id={id} aria-labelledby={`${id}-title`}>
                <div class="top">
                    <h3 id={`${id}-title`}>{title}</h3>
                    {choice}
                </div>
                {draw && <Chart draw={draw} label={label} />}
                <figcaption>{held(note)}</figcaption>
            </figure>
            <div class="numbers">
                <details id={`${id}-numbers`}>
                    <summary>
                        Numbers
                        <span class="hidden">
                            {' '}
                            of the figure: {name}, {of}
                        </span>
                    </summary>
                    <Table columns={columns} rows={rows} caption={`${name}, ${of}`} />
                </details>
                <CopyButton text={() => csvOf(columns, rows)} what={`${name}, ${of}`} />
            </div>
        </div>
    );
}

/** A choice among a few values. */
export function Choice({ label, value, options, onChange, show = String }) {
    if (options.length < 2) return null;
    return (
        <label class="choice">
            {label}{' '}
            <select value={String(value)} onChange={(event) => onChange(options[event.currentTarget.selectedIndex])}>
                {options.map((option) => (
                    <option key={option} value={String(option)}>
                        {show(option)}
                    </option>
                ))}
            </select>
        </label>
    );
}
