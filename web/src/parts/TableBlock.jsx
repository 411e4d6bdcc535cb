// A table that everybody sees, on paper too: heading, table, a note in plain words, and the same as CSV.
import { CopyButton } from './CopyButton.jsx';
import { Table, csvOf } from './Table.jsx';

export function TableBlock({ id, title, note, columns, rows, copied = columns }) {
    return (
        <div class="block wide" id={id}>
            <h3>{title}</h3>
            <div class="open">
                <Table columns={columns} rows={rows} caption={title} />
            </div>
            <p class="note">{note}</p>
            <div class="numbers">
                <CopyButton text={() => csvOf(copied, rows)} what={title} />
            </div>
        </div>
    );
}
