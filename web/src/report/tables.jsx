// The tables that are seen at once: the audit at a glance, and what could be dropped.
import { TableBlock } from '../parts/TableBlock.jsx';
import { count, decimal, equals, list, percent, share, short } from '../parts/format.js';
import { RARE, attributesOf, byDelta, hasCosts, needs } from './audit.js';
import { deltaIs } from './words.js';

export function Glance({ audit }) {
    const costs = hasCosts(audit);
    const n = audit.sensitive.length;
    const rows = [
        {
            name: 'everything asked',
            mean_asked: n,
            share_asked: n ? 1 : 0,
            none_asked: n ? 0 : 1,
            mean_cost: attributesOf(audit).reduce((sum, { cost }) => sum + cost, 0),
            fidelity: 1,
            accuracy: audit.baseline.accuracy,
        },
        ...byDelta(audit.results).map((result) => ({ ...result, ...result.settled, name: deltaIs(result.delta) })),
    ];
    if (audit.opt)
        rows.push({
            name: 'Opt: least possible',
            mean_asked: audit.opt.mean_asked,
            share_asked: n ? audit.opt.mean_asked / n : 0,
            none_asked: audit.opt.histogram[0] / audit.people,
            mean_cost: audit.opt.mean_cost,
            fidelity: 1,
            accuracy: audit.baseline.accuracy,
        });
    const people = (x) => (x == null ? '–' : count(x));
    const columns = [
        { key: 'name', label: 'way of asking' },
        { key: 'mean_asked', label: 'asked', show: (x) => decimal(x, 2) },
        { key: 'share_asked', label: `of ${n}`, show: (x) => percent(x, 1) },
        { key: 'none_asked', label: 'need none', show: (x) => percent(x, 1) },
        costs && { key: 'mean_cost', label: 'cost', show: (x) => decimal(x, 2) },
        { key: 'fidelity', label: 'same decision', show: (x) => percent(x, 2) },
        { key: 'accuracy', label: 'right', show: (x) => percent(x, 2) },
        { key: 'certain', label: 'proven', show: people },
        { key: 'likely', label: 'likely', show: people },
        { key: 'all_revealed', label: 'gave all', show: people },
        { key: 'rule', label: 'rule' },
        audit.results.some(({ calibrated }) => calibrated) && {
            key: 'calibrated',
            label: 'calibrated',
            show: (x) => (x ? 'yes' : '–'),
        },
    ].filter(Boolean);
    return (
        <TableBlock
            id="glance"
            title="At a glance"
            columns={columns}
            rows={rows}
            note={
                <>
                    <b>asked:</b> mean number of sensitive attributes. <b>Same decision:</b> share of people who get the
                    decision they would have got by giving everything (fidelity). <b>Right:</b> share of decisions that
                    agree with the known outcome (accuracy). <b>Proven, likely, gave all:</b> people by how their
                    decision was settled.
                </>
            }
        />
    );
}

function verdict({ asked }) {
    const at = (entries) => list(entries.map(({ delta }) => short(delta)));
    const never = asked.filter(({ people }) => people === 0);
    const rarely = asked.filter(({ people, share: part }) => people > 0 && part < RARE);
    if (never.length === asked.length) return 'never needed';
    const words = [];
    if (never.length) words.push(`never at δ = ${at(never)}`);
    if (rarely.length) words.push(rarely.length === asked.length ? 'rarely needed' : `rarely at δ = ${at(rarely)}`);
    return words.join('; ').replace(/ = /g, '\u00a0=\u00a0');
}

export function DropList({ audit }) {
    // Where nobody is asked for anything, everything is "never needed", which says nothing about an attribute.
    const idle = byDelta(audit.results).filter(({ mean_asked }) => mean_asked === 0);
    const telling = (delta) => idle.length === audit.results.length || !idle.some((result) => result.delta === delta);
    const rows = needs(audit)
        .filter(({ asked }) => asked.some((entry) => entry.share < RARE && telling(entry.delta)))
        .map((attribute) => ({
            name: attribute.name,
            question: attribute.question,
            verdict: verdict(attribute),
            ...Object.fromEntries(
                attribute.asked.flatMap(({ delta, people, share: part }) => [
                    [`people_delta_${short(delta)}`, people],
                    [`shown_delta_${short(delta)}`, people === 0 ? '0' : `${count(people)} (${share(part)})`],
                ]),
            ),
        }));
    const deltas = byDelta(audit.results).map(({ delta }) => delta);
    const columns = (key) => [
        { key: 'name', label: 'attribute', words: true },
        ...deltas.map((delta) => ({ key: `${key}_delta_${short(delta)}`, label: `asked, ${deltaIs(delta)}` })),
        { key: 'verdict', label: 'needed', words: true },
        ...(rows.some(({ question }) => question) ? [{ key: 'question', label: 'question', words: true }] : []),
    ];
    if (!rows.length)
        return (
            <div class="block wide" id="drop">
                <h3>What could be dropped</h3>
                <p class="note">
                    Nothing at once: every attribute was needed by at least {percent(RARE)} of people at every δ.
                </p>
            </div>
        );
    return (
        <TableBlock
            id="drop"
            title="What could be dropped"
            columns={columns('shown')}
            copied={columns('people')}
            rows={rows}
            note={
                <>
                    Attributes that fewer than {percent(RARE)} of the {count(audit.people)} people were asked for, at
                    one δ or more, with the exact number of people who were.
                    {idle.length > 0 &&
                        ` At ${equals('δ', list(idle.map(({ delta }) => short(delta))))} nobody is asked for anything, which ${idle.length === audit.results.length ? 'makes all of them superfluous' : 'does not count here'}.`}{' '}
                    Whoever is not asked for an attribute is
                    not affected at all if it disappears from the form: same questions, same decision. Whoever is, would
                    have to be decided about without it. If several are dropped, the people affected are at most the
                    sum.
                </>
            }
        />
    );
}
