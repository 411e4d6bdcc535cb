// Adds to a page that is complete without it: tables are copied as CSV and sorted by a column, the data are downloaded.
(() => {
    'use strict';
    const labels = document.getElementById('labels').dataset;

    const csvCell = (cell) => {
        const text = cell.dataset.v ?? cell.textContent.trim();
        return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
    };
    const csvOf = (table) =>
        [...table.rows].map((row) => [...row.cells].map(csvCell).join(',') + '\n').join('');

    const button = (text, onClick) => {
        const made = document.createElement('button');
        made.type = 'button';
        made.textContent = text;
        made.addEventListener('click', onClick);
        return made;
    };

    const addCopy = (table) => {
        const place = document.createElement('span');
        const said = document.createElement('span');
        const name = table.caption.textContent;
        place.className = 'copy';
        said.setAttribute('role', 'status');
        const copy = button(labels.copy, async () => {
            try {
                await navigator.clipboard.writeText(csvOf(table));
                said.textContent = labels.copied;
            } catch {
                said.textContent = labels.refused;
            }
            setTimeout(() => (said.textContent = ''), 2500);
        });
        copy.setAttribute('aria-label', `${labels.copy}: ${name}`);
        place.append(copy, said);
        const numbers = table.closest('.numbers');
        if (numbers) numbers.append(place);
        else {
            const row = document.createElement('div');
            row.className = 'numbers';
            row.append(place);
            table.closest('.open').after(row);
        }
    };

    const valueOf = (row, i) => {
        const cell = row.cells[i];
        return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
    };
    const compare = (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
    const addSort = (table) =>
        [...table.tHead.rows[0].cells].forEach((head, i) => {
            const sort = button(head.textContent, () => {
                const down = head.getAttribute('aria-sort') === 'ascending';
                const body = table.tBodies[0];
                const rows = [...body.rows].sort((a, b) => compare(valueOf(a, i), valueOf(b, i)) * (down ? -1 : 1));
                [...table.tHead.rows[0].cells].forEach((other) => other.removeAttribute('aria-sort'));
                head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
                body.append(...rows);
            });
            sort.className = 'sort';
            head.replaceChildren(sort);
        });

    for (const table of document.querySelectorAll('main table')) {
        addCopy(table);
        if (table.tBodies[0].rows.length > 2 && !table.closest('#confusion')) addSort(table);
    }

    const link = document.createElement('a');
    link.download = 'data.json';
    link.textContent = labels.download;
    link.href = URL.createObjectURL(new Blob([document.getElementById('data').textContent], { type: 'application/json' }));
    const line = document.createElement('p');
    line.className = 'copy';
    line.append(link);
    document.querySelector('footer').append(line);
})();
