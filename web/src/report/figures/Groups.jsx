// Burden by subgroup: the mean number of attributes asked for in each group, with intervals.
import * as Plot from '@observablehq/plot';
import { useCallback, useState } from 'preact/hooks';
import { Choice, Figure } from '../../parts/Figure.jsx';
import { count, decimal, percent, short } from '../../parts/format.js';
import { byDelta } from '../audit.js';
import { deltaIs } from '../words.js';
import { rowLayout } from './rows.js';

const nameOf = ({ name }) => name || '(empty)';

function drawGroups(groups, delta, everybody, width) {
    const rows = groups.map((group) => ({
        name: `${nameOf(group)} (${count(group.people)})`,
        ...group.results.find((result) => result.delta === delta),
    }));
    const layout = rowLayout(
        rows.map(({ name }) => name),
        width,
        36,
    );
    const ends = rows.flatMap(({ intervals }) => intervals.mean_asked);
    const high = 1.05 * Math.max(...ends, everybody) || 1;
    return {
        ...layout.options,
        x: { domain: [0, high], insetRight: 4 },
        marks: [
            Plot.gridX({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 6 }),
            Plot.axisX({
                label: 'attributes asked for (mean) →',
                labelAnchor: 'center',
                labelArrow: 'none',
                ticks: Math.max(2, Math.min(6, Math.floor(width / 90))),
            }),
            ...layout.marks,
            Plot.ruleX([everybody], { stroke: 'var(--soft)', strokeDasharray: '5 4' }),
            Plot.text([everybody], {
                x: (x) => x,
                text: (x) => `everybody: ${decimal(x, 2)}`,
                frameAnchor: 'top',
                textAnchor: everybody > high / 2 ? 'end' : 'start',
                dx: everybody > high / 2 ? 4 : -4,
                dy: width < 520 ? -28 : -12,
                fill: 'var(--soft)',
            }),
            Plot.ruleY(rows, {
                y: (_, i) => i,
                x1: (row) => row.intervals.mean_asked[0],
                x2: (row) => row.intervals.mean_asked[1],
                stroke: 'var(--blue)',
                strokeWidth: 2,
            }),
            Plot.dot(rows, { x: 'mean_asked', y: (_, i) => i, r: 4.5, fill: 'var(--blue)' }),
        ],
    };
}

// Why some groups are missing.
function hiddenWords({ list: shown, suppressed, least_people: least = 20, left_out: more = 0 }) {
    const words = [];
    if (suppressed)
        words.push(
            `${count(suppressed)} ${suppressed === 1 ? 'group is' : 'groups are'} not shown: a group of fewer than ${least} people is not described, because figures of a handful of people describe the people; and where those could be worked out from the rest, the smallest of the other groups is left out as well.`,
        );
    if (more)
        words.push(
            `${count(more)} more ${more === 1 ? 'group is' : 'groups are'} left out to keep this page small: the ${shown.length} largest are here, and all are in the JSON file of the audit.`,
        );
    return words.join(' ');
}

const share3 = (x) => percent(x, 2);
const COLUMNS = [
    { key: 'group', label: 'group', words: true },
    { key: 'people', label: 'people', show: count },
    { key: 'delta', label: 'δ', show: short },
    { key: 'mean_asked', label: 'asked (mean)', show: (x) => decimal(x, 3) },
    { key: 'low', label: 'low', show: (x) => decimal(x, 3) },
    { key: 'high', label: 'high', show: (x) => decimal(x, 3) },
    { key: 'none_asked', label: 'need none', show: share3 },
    { key: 'none_low', label: 'low', show: share3 },
    { key: 'none_high', label: 'high', show: share3 },
    { key: 'fidelity', label: 'same decision', show: share3 },
    { key: 'fidelity_low', label: 'low', show: share3 },
    { key: 'fidelity_high', label: 'high', show: share3 },
];

export function Groups({ audit }) {
    const { groups } = audit;
    const deltas = byDelta(audit.results).map(({ delta }) => delta);
    const [delta, setDelta] = useState(audit.results[0].delta);
    const everybody = audit.results.find((result) => result.delta === delta).mean_asked;
    const draw = useCallback((width) => drawGroups(groups.list, delta, everybody, width), [audit, delta]);
    const hidden = hiddenWords(groups);
    if (!groups.list.length)
        return (
            <div class="block wide" id="groups">
                <p class="note">{hidden}</p>
            </div>
        );
    return (
        <Figure
            id="groups"
            of="every δ"
            name={`Attributes asked for by ${groups.column}`}
            title={`Attributes asked for by ${groups.column}, ${deltaIs(delta)}`}
            choice={<Choice label="δ =" value={delta} options={deltas} onChange={setDelta} show={short} />}
            draw={draw}
            wide
            label={`Mean number of sensitive attributes asked for in each group of ${groups.column}, with 95 % intervals, at δ = ${short(delta)}.`}
            note={`How many sensitive attributes people of each group (its size in brackets) are asked for on average. Bars: 95 % intervals (normal approximation, 1.96 standard errors); groups whose bars are far apart carry different burdens. ${hidden}`}
            columns={COLUMNS}
            rows={groups.list.flatMap((group) =>
                byDelta(group.results).map((result) => ({
                    group: nameOf(group),
                    people: group.people,
                    delta: result.delta,
                    mean_asked: result.mean_asked,
                    low: result.intervals.mean_asked[0],
                    high: result.intervals.mean_asked[1],
                    none_asked: result.none_asked,
                    none_low: result.intervals.none_asked[0],
                    none_high: result.intervals.none_asked[1],
                    fidelity: result.fidelity,
                    fidelity_low: result.intervals.fidelity[0],
                    fidelity_high: result.intervals.fidelity[1],
                })),
            )}
        />
    );
}
