// How many people were asked for how many attributes: a histogram for each delta, and the least possible beside them.
import * as Plot from '@observablehq/plot';
import { useCallback } from 'preact/hooks';
import { Figure } from '../../parts/Figure.jsx';
import { count, percent, short } from '../../parts/format.js';
import { markLook } from '../../parts/looks.js';
import { byDelta, sharesOf } from '../audit.js';
import { deltaIs } from '../words.js';

const MOST_BARS = 16;
const OPT = 'least possible';
const axisPercent = (x) => percent(x, Number.isInteger(Math.round(1e6 * x) / 1e4) ? 0 : 1);

function histogramsOf(audit) {
    const list = byDelta(audit.results).map(({ delta, histogram }) => ({ name: deltaIs(delta), delta, histogram }));
    return audit.opt ? [...list, { name: OPT, delta: null, histogram: audit.opt.histogram }] : list;
}

// Bars for single numbers, or for runs of them when there are many: [{ name, from, to, share }].
function barsOf(all) {
    const size = all[0].histogram.length;
    const last = Math.max(...all.flatMap(({ histogram }) => histogram.map((people, k) => (people ? k : 0))));
    const end = size <= MOST_BARS + 1 ? size : last + 1;
    const step = Math.ceil(end / (MOST_BARS + 1));
    return all.flatMap(({ name, delta, histogram }) => {
        const shares = sharesOf(histogram);
        return Array.from({ length: Math.ceil(end / step) }, (_, i) => {
            const part = shares.slice(i * step, Math.min((i + 1) * step, end));
            const label = part.length > 1 ? `${part[0].asked}–${part[part.length - 1].asked}` : `${part[0].asked}`;
            return { name, opt: delta == null, i, label, share: part.reduce((sum, one) => sum + one.share, 0) };
        });
    });
}

// Few people are still not nobody.
const barLabel = (x) => (x === 0 ? '' : x < 0.001 ? '<0.1' : percent(x, x < 0.0995 ? 1 : 0).replace('\u00a0%', ''));

function drawAsked(all, width) {
    const bars = barsOf(all);
    const labels = bars.filter(({ name }) => name === all[0].name).map(({ label }) => label);
    const rows = Math.ceil(all.length / Math.max(1, Math.floor((width - 60) / Math.max(170, 11 * labels.length))));
    const inRow = Math.ceil(all.length / rows);
    const placeOf = (name) => all.findIndex((one) => one.name === name);
    const facet = { fx: ({ name }) => placeOf(name) % inRow, fy: ({ name }) => Math.floor(placeOf(name) / inRow) };
    const room = (width - 60) / inRow / labels.length;
    const every = Math.ceil((Math.max(...labels.map((label) => label.length)) * 7 + 4) / room);
    const high = Math.max(...bars.map(({ share }) => share)) || 1;
    return {
        yTitle: '% of people',
        height: 54 + 190 * rows,
        marginLeft: 40,
        marginTop: 44,
        marginBottom: 40,
        marginRight: 8,
        fx: { axis: null, padding: 0.08, domain: Array.from({ length: inRow }, (_, i) => i) },
        fy: { axis: null, padding: 0.26, domain: Array.from({ length: rows }, (_, i) => i) },
        x: { type: 'band', domain: labels, padding: 0.12 },
        y: { domain: [0, 1.14 * high] },
        marks: [
            Plot.gridY({ stroke: 'var(--line)', strokeOpacity: 1, ticks: 4 }),
            Plot.axisX({
                label: 'attributes asked for →',
                labelAnchor: 'center',
                labelArrow: 'none',
                tickSize: 0,
                ticks: labels.filter((_, i) => i % every === 0),
                fontSize: 12,
            }),
            Plot.axisY({ label: null, ticks: 4, tickFormat: (x) => axisPercent(x).replace('\u00a0%', '') }),
            Plot.barY(
                bars.filter((bar) => !bar.opt),
                { ...facet, x: 'label', y: 'share', ...markLook('tacit') },
            ),
            Plot.barY(
                bars.filter((bar) => bar.opt),
                { ...facet, x: 'label', y: 'share', ...markLook('both') },
            ),
            room >= 24 &&
                Plot.text(bars, {
                    ...facet,
                    x: 'label',
                    y: 'share',
                    text: ({ share }) => barLabel(share),
                    dy: -7,
                    fontSize: 10.5,
                }),
            Plot.text(all, {
                ...facet,
                text: 'name',
                frameAnchor: 'top',
                dy: -14,
                fontWeight: 600,
            }),
            Plot.ruleY([0], { stroke: 'var(--soft)' }),
        ].filter(Boolean),
    };
}

const COLUMNS = [
    { key: 'delta', label: 'δ', show: (x) => (x == null ? OPT : short(x)) },
    { key: 'asked', label: 'attributes' },
    { key: 'people', label: 'people', show: count },
    { key: 'share', label: 'share', show: (x) => percent(x, 2) },
];

export function Asked({ audit }) {
    const all = histogramsOf(audit);
    const draw = useCallback((width) => drawAsked(all, width), [audit]);
    return (
        <Figure
            id="asked"
            of="all people"
            title="How many people need how many attributes"
            draw={draw}
            wide
            label={`Histograms of the number of sensitive attributes people are asked for, one for each δ${audit.opt ? ', and one of the smallest sets that prove the decision' : ''}.`}
            note={`Each bar is the share of the ${count(audit.people)} people who are asked for that many sensitive attributes before their decision is settled. δ is the chance of another decision that one is willing to take; at δ = 0 every decision is proven.${audit.opt ? ' “Least possible” (Opt) is the size of the smallest set that proves each decision: it looks at all values beforehand, so it is a lower bound for δ = 0 and not a way to ask.' : ''}`}
            columns={COLUMNS}
            rows={all.flatMap(({ delta, histogram }) => sharesOf(histogram).map((one) => ({ delta, ...one })))}
        />
    );
}
