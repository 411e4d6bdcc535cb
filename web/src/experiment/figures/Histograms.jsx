// How many people need how many attributes: the smallest core set, and what the rules ask at each delta.
import * as Plot from '@observablehq/plot';
import { useCallback, useState } from 'preact/hooks';
import { Choice, Figure } from '../../parts/Figure.jsx';
import { count, equals, percent, short } from '../../parts/format.js';
import { FILL_TEXT, fillLook, markLook } from '../../parts/looks.js';
import { keyHeight } from '../../parts/marks.js';
import { METHOD_NAMES, deltasOf, find, lastCell, ruleMarks } from '../summary.js';

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const sharesOf = (histogram) => histogram.map((people, asked) => ({ asked, share: people / (sum(histogram) || 1) }));
const countsTo = (size) => Array.from({ length: size + 1 }, (_, i) => i);
const axisPercent = (x) => percent(x, Number.isInteger(Math.round(1e6 * x) / 1e4) ? 0 : 1);

// Short enough for a narrow bar; few people are still not nobody.
const barLabel = (x, room) => {
    const text = x === 0 ? '0' : x < 0.001 ? `<${percent(0.001, 1)}` : percent(x, x < 0.095 ? 1 : 0);
    return room < 50 ? text.replace('\u00a0%', '') : text;
};

function rowsOf(cell, entry) {
    const total = sum(entry.histogram);
    return entry.histogram.map((people, asked) => ({
        size: cell.size,
        method: entry.method,
        delta: entry.delta,
        asked,
        people,
        share: total ? people / total : null,
    }));
}

const COLUMNS = [
    { key: 'size', label: '|S|' },
    { key: 'method', label: 'method', show: (method) => METHOD_NAMES[method] ?? method },
    { key: 'delta', label: 'δ', show: short },
    { key: 'asked', label: 'attributes' },
    { key: 'people', label: 'people', show: count },
    { key: 'share', label: 'share', show: (x) => percent(x, 2) },
];

function useSize(model) {
    const sizes = model.cells.map((cell) => cell.size);
    const [size, setSize] = useState(lastCell(model).size);
    return {
        cell: model.cells.find((cell) => cell.size === size),
        choice: <Choice label="|S| =" value={size} options={sizes} onChange={setSize} />,
    };
}

export function CoreSets({ model, name }) {
    const { cell, choice } = useSize(model);
    const opt = find(cell, 'opt');
    const draw = useCallback(
        (width) => ({
            yTitle: 'people',
            height: Math.round(Math.max(240, Math.min(0.6 * width, 320))),
            marginLeft: 46,
            marginTop: 30,
            marginBottom: 40,
            x: { type: 'band', domain: countsTo(cell.size), padding: 0.25 },
            y: { domain: [0, 1.04 * Math.max(...sharesOf(opt.histogram).map((d) => d.share))] },
            marks: [
                Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
                Plot.axisX({
                    label: 'attributes in the smallest core set →',
                    labelAnchor: 'center',
                    labelArrow: 'none',
                    tickSize: 0,
                }),
                Plot.axisY({ label: null, ticks: 5, tickFormat: axisPercent }),
                Plot.barY(sharesOf(opt.histogram), { x: 'asked', y: 'share', ...markLook('both') }),
                Plot.text(sharesOf(opt.histogram), {
                    x: 'asked',
                    y: 'share',
                    text: (d) => barLabel(d.share, (width - 46) / (cell.size + 1)),
                    dy: -8,
                }),
                Plot.ruleY([0], { stroke: 'var(--soft)' }),
            ],
        }),
        [cell],
    );
    return (
        <Figure
            id={`${model.model}-opt`}
            of={name}
            title={`Smallest core set (Opt), ${equals('|S|', cell.size)}`}
            choice={choice}
            draw={draw}
            label={`Histogram of the size of the smallest core set when ${cell.size} attributes are sensitive, ${name}.`}
            note={`How few attributes settle a person’s decision for certain, if one knew beforehand which. Found for ${count(opt.people)} people${opt.inexact ? `, of them ${count(opt.inexact)} not exactly` : ''}.`}
            columns={COLUMNS}
            rows={model.cells.flatMap((one) => rowsOf(one, find(one, 'opt')))}
        />
    );
}

// Bars of the marks at one delta: side by side when there are two.
function barsOf(cell, delta) {
    const marks = ruleMarks(cell, delta, (entry) => entry.histogram);
    const width = 0.84 / marks.length;
    return marks.flatMap(([look, entry], i) =>
        sharesOf(entry.histogram).map((d) => ({
            ...d,
            delta,
            look,
            left: d.asked - 0.42 + i * width,
            right: d.asked - 0.42 + (i + 1) * width,
        })),
    );
}

function drawAsked(cell, deltas, width) {
    const bars = deltas.flatMap((delta) => barsOf(cell, delta));
    const looks = ['tacit', 'paper', 'both'].filter((look) => bars.some((bar) => bar.look === look));
    const key = looks.map((look) => ({ shape: 'box', look: fillLook[look], text: FILL_TEXT[look] }));
    const narrow = width < 620;
    const facet = narrow ? { fy: 'delta' } : { fx: 'delta' };
    const top = keyHeight(key, width) + (narrow ? 28 : 34);
    const facetAxis = { label: null, tickFormat: (x) => equals('δ', short(x)), fontSize: 12 };
    return {
        key,
        yTitle: 'people',
        height: narrow ? top + 100 * deltas.length + 40 : top + 230,
        marginLeft: 46,
        marginTop: top,
        marginBottom: 40,
        marginRight: narrow ? 62 : 12,
        fx: { padding: 0.08 },
        fy: { padding: 0.16 },
        x: { type: 'linear', domain: [-0.5, cell.size + 0.5] },
        y: { domain: [0, Math.max(...bars.map((bar) => bar.share)) || 1], nice: true },
        marks: [
            Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: narrow ? 2 : 5 }),
            narrow ? Plot.axisFy({ ...facetAxis, anchor: 'right' }) : Plot.axisFx({ ...facetAxis, anchor: 'top' }),
            Plot.axisX({
                label: 'attributes asked →',
                labelAnchor: 'center',
                labelArrow: 'none',
                ticks: countsTo(cell.size),
                tickFormat: String,
                tickSize: 0,
            }),
            Plot.axisY({ label: null, ticks: narrow ? 2 : 5, tickFormat: axisPercent }),
            ...looks.map((look) =>
                Plot.rectY(
                    bars.filter((bar) => bar.look === look),
                    { ...facet, x1: 'left', x2: 'right', y: 'share', ...markLook(look), inset: 0.5 },
                ),
            ),
            Plot.ruleY([0], { stroke: 'var(--soft)' }),
        ],
    };
}

export function AskedByDelta({ model, name }) {
    const { cell, choice } = useSize(model);
    const deltas = deltasOf(model);
    const draw = useCallback((width) => drawAsked(cell, deltas, width), [cell]);
    const entries = (one) => one.methods.filter((entry) => entry.method === 'paper' || entry.method === 'tacit');
    return (
        <Figure
            id={`${model.model}-asked`}
            of={name}
            title={`Attributes asked by δ, ${equals('|S|', cell.size)}`}
            choice={choice}
            draw={draw}
            wide
            label={`Histograms of the number of attributes asked, one for each δ, when ${cell.size} are sensitive, ${name}.`}
            note="How many people are asked for how many attributes. δ is the chance of another decision that one is willing to take; at δ = 0 every decision is proven."
            columns={COLUMNS}
            rows={model.cells.flatMap((one) => entries(one).flatMap((entry) => rowsOf(one, entry)))}
        />
    );
}
