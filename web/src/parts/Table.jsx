// A table of numbers, and the same as CSV.
//
// columns: [{ key, label, show?, words? }]; rows: objects.  `show` formats a value for people; CSV has it in full.
// `words`: text, not numbers, which may take several lines.

const LONGEST = 20; // characters of a word that is not broken

export function Table({ columns, rows, caption }) {
    const cell = (column, row) => (column.show ?? ((x) => x ?? '–'))(row[column.key]);
    const words = (column) => rows.flatMap((row) => String(cell(column, row)).split(/\s/));
    // The column that names the rows: as wide as its words.
    const room = ({ length }) => `calc(${Math.min(LONGEST, length)}ch + 1.4rem)`;
    const style = (column, i) =>
        i === 0 && column.words && rows.length
            ? { minWidth: room(words(column).reduce((a, b) => (b.length > a.length ? b : a))) }
            : undefined;
    return (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Table: ${caption}`}>
            <table>
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        {columns.map((column, i) => (
                            <th
                                scope="col"
                                key={column.key}
                                class={column.words && 'words'}
                                style={style(column, i)}
                            >
                                {column.label}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {rows.map((row, i) => (
                        <tr key={i}>
                            {columns.map((column) => (
                                <td key={column.key} class={column.words && 'words'}>
                                    {cell(column, row)}
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function csvCell(value) {
    const text = value == null ? '' : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

export function csvOf(columns, rows) {
    const lines = [columns.map((column) => column.key), ...rows.map((row) => columns.map((column) => row[column.key]))];
    return lines.map((line) => line.map(csvCell).join(',') + '\n').join('');
}
