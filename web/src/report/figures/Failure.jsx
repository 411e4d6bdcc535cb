// Promised against observed failure, with intervals.
import * as Plot from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Figure } from '../../parts/Figure.jsx';
import { failureFrame, failureScales } from '../../parts/failure.js';
import { count, percent } from '../../parts/format.js';
import { markLook } from '../../parts/looks.js';
import { byDelta, isBroken, isOwnTest } from '../audit.js';
import { OWN_TEST } from '../words.js';
import { spacedTicks } from './rows.js';

function drawFailure(points, deltas, width) {
    const scales = failureScales(points, deltas);
    const { domain } = scales.x;
    return {
        ...scales,
        height: 320,
        marginTop: 30,
        marginBottom: 42,
        marks: [
            ...failureFrame(domain, spacedTicks(deltas, ...domain, width - 90)),
            Plot.ruleX(points, { x: 'promised', y1: 'low', y2: 'high', stroke: 'var(--blue)', strokeWidth: 2 }),
            Plot.dot(points, { x: 'promised', y: 'observed', r: 4.5, ...markLook('tacit') }),
        ],
    };
}

const exact = (x) => percent(x, 3);

export function Failure({ audit }) {
    const results = byDelta(audit.results);
    const deltas = results.map(({ delta }) => delta);
    const points = results.map(({ failure }) => failure).filter(({ people }) => people > 0);
    const broken = results.filter(isBroken);
    const draw = useCallback((width) => drawFailure(points, deltas, width), [audit]);
    return (
        <Figure
            id="failure"
            of="all people"
            title="Promised and observed failure"
            draw={draw}
            label="Observed against promised share of decisions that differ from the decision with everything given, with 95 % intervals."
            note={`Among people for whom asking stopped early on the strength of the promise: how often the decision is another one than giving everything would have led to. Bars: 95 % intervals (Clopper–Pearson). ${
                broken.length
                    ? 'Where the whole bar lies above the dashed line, the promise is broken on these people: use a smaller δ.'
                    : 'No bar lies wholly above the dashed line: the promise is kept on these people.'
            }${isOwnTest(audit) ? ` ${OWN_TEST}` : ''}`}
            columns={[
                { key: 'promised', label: 'promised', show: (x) => percent(x, 1) },
                { key: 'people', label: 'stopped early', show: count },
                { key: 'failed', label: 'failed', show: count },
                { key: 'observed', label: 'observed', show: exact },
                { key: 'low', label: 'low', show: exact },
                { key: 'high', label: 'high', show: exact },
                { key: 'kept', label: 'promise' },
            ]}
            rows={results.map((result) => ({
                ...result.failure,
                kept: result.failure.people === 0 ? 'nobody stopped early' : isBroken(result) ? 'broken' : 'kept',
            }))}
        />
    );
}
