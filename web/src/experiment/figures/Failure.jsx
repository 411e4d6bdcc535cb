// Promised against observed failure: among people stopped before everything was asked, how often is the decision
// another one than with all values?
import * as Plot from '@observablehq/plot';
import { useCallback, useState } from 'preact/hooks';
import { Choice, Figure } from '../../parts/Figure.jsx';
import { failureFrame, failureScales } from '../../parts/failure.js';
import { count, equals, percent } from '../../parts/format.js';
import { FILL_TEXT, fillLook, markLook } from '../../parts/looks.js';
import { keyHeight } from '../../parts/marks.js';
import { METHOD_NAMES, deltasOf, lastCell, ruleMarks } from '../summary.js';

const SHIFT = { tacit: -6, paper: 6, both: 0 };
const SHAPE = { paper: 'square', tacit: 'dot', both: 'diamond' };
const SYMBOL = { ...SHAPE, tacit: 'circle' };

function drawFailure(cell, deltas, width) {
    const points = deltas.flatMap((delta) =>
        ruleMarks(cell, delta, (entry) => entry.failure)
            .filter(([, entry]) => entry.failure?.observed != null)
            .map(([look, entry]) => ({ look, ...entry.failure })),
    );
    const looks = ['tacit', 'paper', 'both'].filter((look) => points.some((point) => point.look === look));
    const key = looks.map((look) => ({
        shape: SHAPE[look],
        look: { ...fillLook[look], 'fill-opacity': 1 },
        text: FILL_TEXT[look],
    }));
    const scales = failureScales(points, deltas);
    const top = keyHeight(key, width) + 30;
    return {
        ...scales,
        key,
        height: top + 290,
        marginTop: top,
        marginBottom: 40,
        marks: [
            ...failureFrame(scales.x.domain, deltas),
            ...looks.flatMap((look) => {
                const data = points.filter((point) => point.look === look);
                const { stroke } = fillLook[look];
                return [
                    Plot.ruleX(data, {
                        x: 'promised',
                        y1: 'low',
                        y2: 'high',
                        stroke,
                        strokeWidth: 1.6,
                        dx: SHIFT[look],
                    }),
                    Plot.dot(data, {
                        x: 'promised',
                        y: 'observed',
                        symbol: SYMBOL[look],
                        r: 4,
                        dx: SHIFT[look],
                        ...markLook(look),
                        fillOpacity: 1,
                    }),
                ];
            }),
        ],
    };
}

const exact = (x) => percent(x, 3);
const COLUMNS = [
    { key: 'size', label: '|S|' },
    { key: 'method', label: 'method', show: (method) => METHOD_NAMES[method] ?? method },
    { key: 'promised', label: 'promised', show: (x) => percent(x, 1) },
    { key: 'stopped', label: 'stopped', show: count },
    { key: 'failed', label: 'failed', show: count },
    { key: 'observed', label: 'observed', show: exact },
    { key: 'low', label: 'low', show: exact },
    { key: 'high', label: 'high', show: exact },
];

export function Failure({ model, name }) {
    const [size, setSize] = useState(lastCell(model).size);
    const cell = model.cells.find((one) => one.size === size);
    const deltas = deltasOf(model);
    const draw = useCallback((width) => drawFailure(cell, deltas, width), [cell]);
    const rows = model.cells.flatMap((one) =>
        one.methods
            .filter((entry) => entry.failure)
            .map((entry) => ({ size: one.size, method: entry.method, ...entry.failure })),
    );
    return (
        <Figure
            id={`${model.model}-failure`}
            of={name}
            title={`Promised and observed failure, ${equals('|S|', size)}`}
            draw={draw}
            choice={
                <Choice label="|S| =" value={size} options={model.cells.map((one) => one.size)} onChange={setSize} />
            }
            label={`Observed against promised share of decisions that differ from the decision with all values, at ${size} sensitive attributes, ${name}.`}
            note="Among people for whom asking stopped early: how often the decision is another one than all values would have given. Bars: 95 % intervals."
            columns={COLUMNS}
            rows={rows}
        />
    );
}
