// The price of certainty: what is asked, and how decisions fare, against delta.
import * as Plot from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Figure } from '../../parts/Figure.jsx';
import { decimal, percent, short } from '../../parts/format.js';
import { lineLook } from '../../parts/looks.js';
import { endLabelRoom, endLabels, wrap } from '../../parts/marks.js';
import { byDelta } from '../audit.js';
import { spacedTicks } from './rows.js';

// lines: [{ name, points: [{ delta, y, low?, high? }], color, dash, symbol, filled, flat? }]
function drawLines(lines, { deltas, domain, yTitle, yFormat, marginLeft = 46 }, width) {
    const [low, high] = [deltas[0], deltas[deltas.length - 1]];
    const labels = lines.map(({ name, points, color }) => {
        const end = points[points.length - 1];
        return { x: end.delta, y: end.y, lines: wrap(name, 13), color };
    });
    const marginRight = endLabelRoom(labels);
    const pad = low === high ? 0.01 : 0;
    return {
        yTitle,
        height: Math.round(Math.max(280, Math.min(0.7 * width, 340))),
        marginLeft,
        marginTop: 30,
        marginBottom: 42,
        marginRight,
        x: { type: 'linear', domain: [low - pad, high + pad], inset: 10 },
        y: { domain },
        marks: [
            Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 6 }),
            Plot.axisX({
                label: 'δ: chance of another decision that is allowed →',
                labelAnchor: 'left',
                labelArrow: 'none',
                ticks: spacedTicks(deltas, low, high, width - marginLeft - 20 - marginRight),
                tickFormat: short,
            }),
            Plot.axisY({ label: null, ticks: 6, tickFormat: yFormat }),
            ...lines.flatMap(({ points, color, dash, symbol, filled, flat }) => [
                Plot.line(points, { x: 'delta', y: 'y', stroke: color, strokeWidth: 1.8, strokeDasharray: dash }),
                Plot.ruleX(
                    points.filter((point) => point.low != null),
                    { x: 'delta', y1: 'low', y2: 'high', stroke: color, strokeOpacity: 0.7 },
                ),
                !flat &&
                    Plot.dot(points, {
                        x: 'delta',
                        y: 'y',
                        stroke: color,
                        symbol,
                        r: 3.4,
                        strokeWidth: 1.5,
                        fill: filled ? color : 'var(--page)',
                    }),
            ]),
            endLabels(labels),
        ].filter(Boolean),
    };
}

const flatLine = (name, deltas, y, look) => ({
    name,
    flat: true,
    points: (deltas.length > 1 ? [deltas[0], deltas[deltas.length - 1]] : deltas).map((delta) => ({ delta, y })),
    ...look,
});

export function Leakage({ audit }) {
    const results = byDelta(audit.results);
    const deltas = results.map(({ delta }) => delta);
    const n = audit.sensitive.length;
    const most = Math.max(...results.map(({ mean_asked }) => mean_asked));
    const lines = [
        {
            name: 'asked for',
            points: results.map(({ delta, mean_asked, intervals }) => ({
                delta,
                y: mean_asked,
                low: intervals.mean_asked[0],
                high: intervals.mean_asked[1],
            })),
            ...lineLook('tacit', -1),
        },
    ];
    if (audit.opt) lines.push(flatLine('Opt: least for a proof', deltas, audit.opt.mean_asked, lineLook('opt', -1)));
    if (most >= n / 8) lines.push(flatLine(`all ${n} asked`, deltas, n, lineLook('baseline', -1)));
    const top = Math.max(...lines.flatMap(({ points }) => points.map((point) => point.y)));
    const options = { deltas, domain: [0, 1.06 * top || 1], yTitle: 'attributes (mean)', yFormat: short };
    const draw = useCallback((width) => drawLines(lines, options, width), [audit]);
    return (
        <Figure
            id="leakage"
            of="all people"
            title="What people are asked for, by δ"
            draw={draw}
            label="Line chart of the mean number of sensitive attributes people are asked for against δ."
            note={`How many of the ${n} sensitive attributes people are asked for on average. The more doubt one accepts (δ), the fewer; at δ = 0 there is none. Bars: 95 % intervals (normal approximation).`}
            columns={[
                { key: 'delta', label: 'δ', show: (x) => (typeof x === 'number' ? short(x) : x) },
                { key: 'mean_asked', label: 'attributes', show: (x) => decimal(x, 3) },
                { key: 'low', label: 'low', show: (x) => decimal(x, 3) },
                { key: 'high', label: 'high', show: (x) => decimal(x, 3) },
                { key: 'share_asked', label: 'share of all', show: (x) => percent(x, 1) },
            ]}
            rows={[
                ...results.map(({ delta, mean_asked, share_asked, intervals }) => ({
                    delta,
                    mean_asked,
                    low: intervals.mean_asked[0],
                    high: intervals.mean_asked[1],
                    share_asked,
                })),
                ...(audit.opt
                    ? [{ delta: 'Opt', mean_asked: audit.opt.mean_asked, share_asked: audit.opt.mean_asked / n }]
                    : []),
            ]}
        />
    );
}

export function Decisions({ audit }) {
    const results = byDelta(audit.results);
    const deltas = results.map(({ delta }) => delta);
    const known = audit.baseline.accuracy != null;
    const lines = [
        {
            name: 'same decision (fidelity)',
            points: results.map(({ delta, fidelity, intervals }) => ({
                delta,
                y: fidelity,
                low: intervals.fidelity[0],
                high: intervals.fidelity[1],
            })),
            ...lineLook('tacit', -1),
        },
    ];
    if (known) {
        lines.push({
            name: 'right decision (accuracy)',
            points: results.map(({ delta, accuracy }) => ({ delta, y: accuracy })),
            ...lineLook('tacit', 0),
        });
        lines.push(flatLine('accuracy, all asked', deltas, audit.baseline.accuracy, lineLook('baseline', -1)));
    }
    const values = lines.flatMap(({ points }) => points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const pad = Math.max(0.06 * (high - low), 0.004);
    const close = high - low < 0.04;
    const options = {
        deltas,
        domain: [Math.max(0, low - pad), Math.min(1, high + pad)],
        yTitle: 'share of people',
        yFormat: (x) => percent(x, close ? 1 : 0),
        marginLeft: close ? 60 : 46, // "100.0 %"
    };
    const draw = useCallback((width) => drawLines(lines, options, width), [audit]);
    const note = `Fidelity: share of people who get the decision they would have got by giving everything. Bars: 95 % intervals (Clopper–Pearson).${known ? ' Accuracy: share of decisions that agree with the known outcome; it compares with the truth, not with the model.' : ' The file has no outcomes, so accuracy is not known.'} The axis does not start at 0.`;
    return (
        <Figure
            id="decisions"
            of="all people"
            title="What becomes of the decisions, by δ"
            draw={draw}
            label={`Line chart of fidelity${known ? ' and accuracy' : ''} against δ.`}
            note={note}
            columns={[
                { key: 'delta', label: 'δ', show: (x) => (x == null ? 'all asked' : short(x)) },
                { key: 'fidelity', label: 'fidelity', show: (x) => percent(x, 3) },
                { key: 'low', label: 'low', show: (x) => percent(x, 3) },
                { key: 'high', label: 'high', show: (x) => percent(x, 3) },
                { key: 'accuracy', label: 'accuracy', show: (x) => percent(x, 3) },
            ]}
            rows={[
                ...results.map(({ delta, fidelity, accuracy, intervals }) => ({
                    delta,
                    fidelity,
                    low: intervals.fidelity[0],
                    high: intervals.fidelity[1],
                    accuracy,
                })),
                { delta: null, fidelity: 1, accuracy: audit.baseline.accuracy },
            ]}
        />
    );
}
