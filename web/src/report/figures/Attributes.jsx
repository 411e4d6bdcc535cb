// How often each attribute was needed: a row per attribute, a mark per delta.
import * as Plot from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Figure } from '../../parts/Figure.jsx';
import { count, percent, short } from '../../parts/format.js';
import { lineLook } from '../../parts/looks.js';
import { keyHeight } from '../../parts/marks.js';
import { byDelta, needs } from '../audit.js';
import { deltaIs } from '../words.js';
import { rowLayout } from './rows.js';

const MOST_ROWS = 40;

export const rankOf = (deltas, delta) => deltas.filter((one) => one > 0).indexOf(delta);
const KEY_SHAPES = { circle: 'dot', triangle: 'triangle', square: 'square', diamond: 'diamond', star: 'star' };

function drawAttributes(rows, deltas, width) {
    const looks = deltas.map((delta) => ({ delta, ...lineLook('tacit', rankOf(deltas, delta)) }));
    const key = looks.map(({ delta, color, symbol }) => ({
        shape: KEY_SHAPES[symbol],
        look: { fill: color },
        text: deltaIs(delta),
    }));
    const top = keyHeight(key, width) + 26;
    const layout = rowLayout(
        rows.map(({ name }) => name),
        width,
        top,
    );
    const points = rows.flatMap(({ asked }, i) => asked.map((one) => ({ i, ...one })));
    return {
        key,
        ...layout.options,
        x: { domain: [0, 1], insetLeft: 8, insetRight: 8 },
        marks: [
            Plot.gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 5 }),
            Plot.axisX({
                label: 'share of people asked for it →',
                labelAnchor: 'center',
                labelArrow: 'none',
                ticks: 5,
                tickFormat: (x) => percent(x),
            }),
            ...layout.marks,
            // The most demanding delta is drawn last: it hides nothing that matters less.
            ...[...looks].reverse().map(({ delta, color, symbol }) =>
                Plot.dot(
                    points.filter((point) => point.delta === delta),
                    { x: 'share', y: 'i', symbol, r: 4.5, fill: color, stroke: 'var(--page)', strokeWidth: 1 },
                ),
            ),
        ],
    };
}

const COLUMNS = [
    { key: 'attribute', label: 'attribute', words: true },
    { key: 'delta', label: 'δ', show: short },
    { key: 'people', label: 'people asked', show: count },
    { key: 'share', label: 'share', show: (x) => percent(x, 2) },
];

export function Attributes({ audit }) {
    const all = needs(audit).reverse();
    const shown = all.slice(0, MOST_ROWS);
    const deltas = byDelta(audit.results).map(({ delta }) => delta);
    const draw = useCallback((width) => drawAttributes(shown, deltas, width), [audit]);
    const rest =
        all.length > shown.length
            ? ` The ${MOST_ROWS} most often needed of ${all.length} are drawn; the numbers have all.`
            : '';
    return (
        <Figure
            id="attributes"
            of="all people"
            title="How often each attribute was needed"
            draw={draw}
            wide
            label="For each sensitive attribute, the share of people who were asked for it, one mark for each δ."
            note={`The further to the right, the more people could not be decided about without giving this attribute. Marks at 0 %: nobody was asked for it.${rest}`}
            columns={COLUMNS}
            rows={all.flatMap(({ name, asked }) => asked.map((one) => ({ attribute: name, ...one })))}
        />
    );
}
