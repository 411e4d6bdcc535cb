// The gap between the paper's rule and Opt at delta = 0, and how much of it our rule closes.
import * as Plot from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Figure } from '../../parts/Figure.jsx';
import { decimal, equals, percent } from '../../parts/format.js';
import { FILL_TEXT, fillLook, markLook } from '../../parts/looks.js';
import { keyHeight } from '../../parts/marks.js';

const KEY = [
    { shape: 'square', look: fillLook.paper, text: FILL_TEXT.paper },
    { shape: 'dot', look: fillLook.tacit, text: FILL_TEXT.tacit },
    { shape: 'tick', look: fillLook.opt, text: FILL_TEXT.opt },
];

function drawGap(rows, width) {
    const top = keyHeight(KEY, width) + 24;
    return {
        key: KEY,
        yTitle: '|S|',
        height: top + 34 * rows.length + 48,
        marginLeft: 46,
        marginTop: top,
        marginBottom: 40,
        marginRight: 84,
        x: { domain: [0, Math.max(...rows.map((row) => Math.max(row.paper, row.tacit)))], nice: true, insetRight: 6 },
        y: { type: 'band', domain: rows.map((row) => row.size), padding: 0.2 },
        marks: [
            Plot.gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 6 }),
            Plot.axisX({
                label: 'attributes asked (mean), δ = 0 →',
                labelAnchor: 'center',
                labelArrow: 'none',
                ticks: 6,
            }),
            Plot.axisY({ label: null, tickSize: 0 }),
            Plot.ruleY(rows, { x1: 'opt', x2: 'tacit', y: 'size', stroke: 'var(--soft)', strokeDasharray: '2 3' }),
            Plot.ruleY(rows, {
                x1: 'tacit',
                x2: 'paper',
                y: 'size',
                stroke: 'var(--blue)',
                strokeWidth: 3,
                strokeOpacity: 0.45,
            }),
            Plot.tickX(rows, { x: 'opt', y: 'size', stroke: 'var(--ink)', strokeWidth: 2.2 }),
            Plot.dot(rows, { x: 'paper', y: 'size', symbol: 'square', r: 4.5, ...markLook('paper') }),
            Plot.dot(rows, { x: 'tacit', y: 'size', r: 4.5, ...markLook('tacit') }),
            Plot.text(rows, {
                y: 'size',
                frameAnchor: 'right',
                textAnchor: 'start',
                dx: 8,
                text: (row) => (row.closed == null ? 'no gap' : `${percent(row.closed)} closed`),
            }),
        ],
    };
}

const mean = (x) => decimal(x, 3);
const COLUMNS = [
    { key: 'size', label: '|S|' },
    { key: 'paper', label: 'paper’s rule', show: mean },
    { key: 'tacit', label: 'Tacit', show: mean },
    { key: 'opt', label: 'Opt', show: mean },
    { key: 'closed', label: 'gap closed', show: (x) => percent(x, 1) },
];

export function Gap({ model, name }) {
    const rows = model.cells.filter((cell) => cell.gap).map((cell) => ({ size: cell.size, ...cell.gap }));
    const draw = useCallback((width) => drawGap(rows, width), [model]);
    return (
        <Figure
            id={`${model.model}-gap`}
            of={name}
            title={`Gap to Opt closed by our rule, ${equals('δ', 0)}`}
            draw={draw}
            label={`For each number of sensitive attributes, the mean number asked by the paper’s rule, by Tacit and by Opt, ${name}.`}
            note="Opt is the least that any proof needs. The thick line is the part of the way from the paper’s rule to Opt that our rule goes."
            columns={COLUMNS}
            rows={rows}
        />
    );
}
