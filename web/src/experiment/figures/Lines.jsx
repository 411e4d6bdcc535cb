// Accuracy and leakage against |S|: a line per method and delta, bands of 1.96 standard errors.  Lines that are the
// same are drawn once and share a label.
import * as Plot from '@observablehq/plot';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { Choice, Figure } from '../../parts/Figure.jsx';
import { decimal, equals, short } from '../../parts/format.js';
import { lineLook } from '../../parts/looks.js';
import { endLabelRoom, endLabels, wrap } from '../../parts/marks.js';
import { METHOD_NAMES, alike, deltasOf, seriesOf } from '../summary.js';

const Z = 1.96;
const PRIORITY = ['tacit', 'paper', 'opt', 'baseline'];

// "all asked, Opt, δ = 0": a δ alone stands for both rules.
function nameGroup(group, both) {
    const names = [];
    if (group.some((one) => one.method === 'baseline')) names.push('all\u00a0asked');
    if (group.some((one) => one.method === 'opt')) names.push('Opt');
    const rules = group.filter((one) => one.method === 'paper' || one.method === 'tacit');
    for (const delta of [...new Set(rules.map((one) => one.delta))]) {
        const methods = rules.filter((one) => one.delta === delta).map((one) => one.method);
        const text = equals('δ', short(delta));
        names.push(
            methods.length === 2 || !both ? text : `${methods[0] === 'tacit' ? 'Tacit' : 'paper'},\u00a0${text}`,
        );
    }
    return names.join(', ');
}

function linesOf(model, quantity) {
    const series = seriesOf(model);
    const both = ['paper', 'tacit'].every((method) => series.some((one) => one.method === method));
    const positive = deltasOf(model).filter((delta) => delta > 0);
    return alike(series, (entry) => entry[quantity]).map((group) => {
        const lead = PRIORITY.map((method) => group.find((one) => one.method === method)).find(Boolean);
        const points = lead.points.map(({ size, entry }) => {
            const { mean, se } = entry[quantity];
            return { size, mean, low: mean - Z * (se ?? 0), high: mean + Z * (se ?? 0), banded: se != null };
        });
        return { name: nameGroup(group, both), points, ...lineLook(lead.method, positive.indexOf(lead.delta)) };
    });
}

function bandMarks({ points, color }, clamp) {
    const banded = points.filter((point) => point.banded);
    const span = { x: 'size', y1: (d) => clamp(d.low), y2: (d) => clamp(d.high) };
    return banded.length === 1
        ? Plot.ruleX(banded, { ...span, stroke: color })
        : Plot.areaY(banded, { ...span, fill: color, fillOpacity: 0.12 });
}

function lineMarks({ points, color, dash, symbol, filled }) {
    const base = { x: 'size', y: 'mean', stroke: color };
    return [
        Plot.line(points, { ...base, strokeWidth: 1.8, strokeDasharray: dash }),
        Plot.dot(points, { ...base, symbol, r: 3.2, strokeWidth: 1.5, fill: filled ? color : 'var(--page)' }),
    ];
}

function drawLines(lines, { sizes, yTitle, yFormat, log, zero }, width) {
    // A logarithmic axis has no place for 0: such points are left out.
    const shown = lines
        .map((line) => ({ ...line, points: line.points.filter((d) => !log || d.mean > 0) }))
        .filter((line) => line.points.length);
    const all = shown.flatMap((line) => line.points);
    const low = Math.min(...all.map((d) => (log ? d.mean : d.low)));
    const high = Math.max(...all.map((d) => d.high));
    const pad = zero || log ? 0 : Math.max(0.08 * (high - low), 0.002);
    const domain = log ? [low * 0.9, high * 1.1] : [zero ? 0 : low - pad, high + pad || 1];
    const labels = shown.map((line) => {
        const end = line.points[line.points.length - 1];
        return { x: end.size, y: end.mean, lines: wrap(line.name), color: line.color };
    });
    return {
        yTitle,
        height: Math.round(Math.max(300, Math.min(0.75 * width, 400))),
        marginLeft: 46,
        marginTop: 26,
        marginBottom: 40,
        marginRight: endLabelRoom(labels),
        x: {
            type: 'linear',
            domain: sizes.length > 1 ? [sizes[0], sizes[sizes.length - 1]] : [sizes[0] - 1, sizes[0] + 1],
            inset: 8,
        },
        y: { type: log ? 'log' : 'linear', domain },
        marks: [
            Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 6 }),
            Plot.axisX({
                label: 'sensitive attributes, |S| →',
                labelAnchor: 'center',
                labelArrow: 'none',
                ticks: sizes,
                tickFormat: String,
            }),
            Plot.axisY({ label: null, ticks: 6, tickFormat: yFormat }),
            ...shown.map((line) => bandMarks(line, (y) => Math.max(y, domain[0]))),
            ...shown.flatMap(lineMarks),
            endLabels(labels),
        ],
    };
}

function tableOf(model, quantity) {
    return {
        columns: [
            { key: 'size', label: '|S|' },
            { key: 'method', label: 'method', show: (method) => METHOD_NAMES[method] ?? method },
            { key: 'delta', label: 'δ', show: (delta) => (delta == null ? '–' : short(delta)) },
            { key: 'mean', label: 'mean', show: decimal },
            { key: 'se', label: 'standard error', show: (x) => decimal(x, 5) },
        ],
        rows: model.cells.flatMap((cell) =>
            cell.methods.map((entry) => ({
                size: cell.size,
                method: entry.method,
                delta: entry.delta,
                ...entry[quantity],
            })),
        ),
    };
}

function useLines(model, quantity, options) {
    const lines = useMemo(() => linesOf(model, quantity), [model, quantity]);
    const sizes = model.cells.map((cell) => cell.size);
    return useCallback((width) => drawLines(lines, { sizes, ...options }, width), [lines, options.log]);
}

const bands = (reps) =>
    reps > 1 ? ` Bands: ± 1.96 standard errors over ${reps} repetitions.` : ' One repetition: no bands.';
const ONE_LINE = ' Lines that are the same are drawn once; a δ alone stands for both rules.';
const BOUND = ' Opt knows all values beforehand: no proof can do with fewer.';

export function Accuracy({ model, name, methods, reps }) {
    const draw = useLines(model, 'accuracy', { yTitle: 'accuracy' });
    return (
        <Figure
            id={`${model.model}-accuracy`}
            of={name}
            title="Accuracy by number of sensitive attributes"
            draw={draw}
            label={`Line chart of accuracy against the number of sensitive attributes, ${name}.`}
            note={`Share of people whose label is predicted right. The axis does not start at 0.${bands(reps)}${methods.length > 1 ? ONE_LINE : ''}`}
            {...tableOf(model, 'accuracy')}
        />
    );
}

export function Leakage({ model, name, methods, reps }) {
    const [scale, setScale] = useState('linear');
    const draw = useLines(model, 'leakage', {
        yTitle: 'attributes asked (mean)',
        log: scale === 'log',
        zero: true,
        yFormat: short,
    });
    return (
        <Figure
            id={`${model.model}-leakage`}
            of={name}
            title="Leakage by number of sensitive attributes"
            draw={draw}
            choice={<Choice label="Scale" value={scale} options={['linear', 'log']} onChange={setScale} />}
            label={`Line chart of the mean number of attributes asked against the number of sensitive attributes, ${name}.`}
            note={`How many of the |S| sensitive attributes a person is asked for, on average; fewer is better.${methods.includes('opt') ? BOUND : ''}${bands(reps)}${methods.length > 1 ? ONE_LINE : ''}`}
            {...tableOf(model, 'leakage')}
        />
    );
}
