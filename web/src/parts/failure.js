// What every figure of promised against observed failure has in common: the axes in percent, and the line on which both
// are the same.
import * as Plot from '@observablehq/plot';
import { percent } from './format.js';

const axisPercent = (x) => percent(x, Number.isInteger(Math.round(1e6 * x) / 1e4) ? 0 : 1);

/** For promises (`deltas`) and observations with a `high` end. */
export function failureScales(points, deltas) {
    const right = Math.max(...deltas, 0.01);
    const high = Math.max(right, ...points.map((point) => point.high));
    return {
        yTitle: 'observed',
        marginLeft: 46,
        marginRight: 14,
        x: { domain: [0, right], insetLeft: 14, insetRight: 14 },
        y: { domain: [0, high], insetBottom: 8 },
    };
}

/** `ticks`: promises that have room for their number on the axis. */
export function failureFrame([, right], ticks) {
    return [
        Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 6 }),
        Plot.axisX({
            label: 'promised: at most δ →',
            labelAnchor: 'center',
            labelArrow: 'none',
            ticks,
            tickFormat: axisPercent,
        }),
        Plot.axisY({ label: null, ticks: 6, tickFormat: axisPercent }),
        Plot.line(
            [
                [0, 0],
                [right, right],
            ],
            { stroke: 'var(--soft)', strokeDasharray: '5 4' },
        ),
        Plot.text(['above the dashed line:\nmore than promised'], {
            frameAnchor: 'top-left',
            fill: 'var(--soft)',
            dy: 4,
            dx: 10,
        }),
    ];
}
