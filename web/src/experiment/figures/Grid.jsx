// What a grid of points misses: people whom it would have stopped before their decision was settled.
import * as Plot from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Figure } from '../../parts/Figure.jsx';
import { count, percent, share } from '../../parts/format.js';
import { fillLook, markLook } from '../../parts/looks.js';
import { keyHeight } from '../../parts/marks.js';

const KEY = [
    { shape: 'box', look: fillLook.paper, text: 'stopped too early' },
    { shape: 'box', look: fillLook.tacit, text: '… with a wrong label' },
];

function drawGrid(rows, width) {
    const of = (name) => (row) => row[name] / (row.people || 1);
    const half = { paper: { insetLeft: 2, insetRight: 0 }, tacit: { insetLeft: 0, insetRight: 2 } };
    const bars = rows.flatMap((row) => [
        { size: row.size, look: 'paper', x: row.size - 0.4, share: of('hasty')(row) },
        { size: row.size, look: 'tacit', x: row.size, share: of('misled')(row) },
    ]);
    const top = 1.05 * Math.max(...bars.map((bar) => bar.share)) || 0.01;
    const above = keyHeight(KEY, width) + 30;
    return {
        key: KEY,
        yTitle: 'people',
        height: above + 220,
        marginLeft: 52,
        marginTop: above,
        marginBottom: 40,
        x: { type: 'linear', domain: [rows[0].size - 0.5, rows[rows.length - 1].size + 0.5] },
        y: { domain: [0, top] },
        marks: [
            Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
            Plot.axisX({
                label: 'sensitive attributes, |S| →',
                labelAnchor: 'center',
                labelArrow: 'none',
                ticks: rows.map((row) => row.size),
                tickFormat: String,
                tickSize: 0,
            }),
            Plot.axisY({
                label: null,
                ticks: 5,
                tickFormat: (x) => percent(x, top >= 0.05 ? 0 : top >= 0.005 ? 1 : 2),
            }),
            ...['paper', 'tacit'].map((look) =>
                Plot.rectY(
                    bars.filter((bar) => bar.look === look),
                    { x1: 'x', x2: (bar) => bar.x + 0.4, y: 'share', ...half[look], ...markLook(look) },
                ),
            ),
            Plot.text(bars, {
                x: (bar) => bar.x + 0.2,
                y: 'share',
                text: (bar) => share(bar.share).replace('\u00a0%', ''),
                dy: -8,
                fontSize: width < 500 ? 10 : 12,
            }),
            Plot.ruleY([0], { stroke: 'var(--soft)' }),
        ],
    };
}

const COLUMNS = [
    { key: 'size', label: '|S|' },
    { key: 'people', label: 'people', show: count },
    { key: 'stages', label: 'stages', show: count },
    { key: 'certified', label: 'certified', show: count },
    { key: 'refuted', label: 'refuted', show: count },
    { key: 'undecided', label: 'undecided', show: count },
    { key: 'missed', label: 'missed', show: count },
    { key: 'hasty', label: 'stopped too early', show: count },
    { key: 'misled', label: 'wrong label', show: count },
    { key: 'points', label: 'grid points', show: count },
];

export function Grid({ model, name }) {
    const rows = model.cells.filter((cell) => cell.grid).map((cell) => ({ size: cell.size, ...cell.grid }));
    const draw = useCallback((width) => drawGrid(rows, width), [model]);
    const sum = (field) => rows.reduce((total, row) => total + row[field], 0);
    return (
        <Figure
            id={`${model.model}-grid`}
            of={name}
            title="Errors of the grid test"
            draw={draw}
            label={`Share of people whom a grid test would have stopped too early, by number of sensitive attributes, ${name}.`}
            note={`Labels in percent of people. The paper takes a decision as settled when a grid of points has one label; between its points the label may still change. At ${count(sum('missed'))} of ${count(sum('refuted'))} stages where a counterexample exists the grid saw none (${sum('refuted') ? percent(sum('missed') / sum('refuted'), 1) : '–'}).`}
            columns={COLUMNS}
            rows={rows}
        />
    );
}
