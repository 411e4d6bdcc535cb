// What the numbers say, in sentences.
import { count, decimal, equals, list, percent, share, short } from '../parts/format.js';
import { deltasOf, find, lastCell } from './summary.js';

const S = (size) => equals('|S|', size);
const delta = (x) => equals('δ', short(x));
const two = (x) => decimal(x, 2);

function needs(cell) {
    const tacit = find(cell, 'tacit', 0);
    const paper = find(cell, 'paper', 0);
    const opt = find(cell, 'opt');
    if (!tacit) return null;
    const mean = cell.gap ?? { tacit: tacit.leakage.mean, paper: paper?.leakage.mean, opt: opt?.leakage.mean };
    const parts = [
        `With the proven rule at ${S(cell.size)}, ${two(mean.tacit)} of ${cell.size} attributes are asked on average`,
    ];
    if (paper) parts.push(`with the paper’s rule ${two(mean.paper)}`);
    if (opt)
        parts.push(`${opt.inexact ? 'the smallest sets found have' : 'no rule can need fewer than'} ${two(mean.opt)}`);
    const sample =
        opt && opt.people < cell.people
            ? ` (Opt, and what is compared with it, for ${count(opt.people)} of ${count(cell.people)} people)`
            : '';
    return `${parts.join('; ')}${sample}.`;
}

function closes(model) {
    const closed = model.cells.map((cell) => cell.gap?.closed).filter((x) => x != null);
    if (!closed.length) return null;
    const [low, high] = [Math.min(...closed), Math.max(...closed)];
    if (high < 0) return 'The proven rule asked for more than the paper’s rule at every size.';
    const range = percent(low) === percent(high) ? percent(low) : `${percent(low)} to ${percent(high)}`;
    return `The proven rule closes ${range} of the gap between the paper’s rule and Opt${closed.length > 1 ? ', depending on the size' : ''}.`;
}

function keepsDecisions(model) {
    const cells = model.cells.filter((cell) => find(cell, 'tacit', 0));
    if (!cells.length) return null;
    const worst = cells.reduce((a, b) =>
        find(b, 'tacit', 0).fidelity.mean < find(a, 'tacit', 0).fidelity.mean ? b : a,
    );
    const fidelity = find(worst, 'tacit', 0).fidelity.mean;
    if (fidelity === 1)
        return `At ${delta(0)} every decision is the one that all values would have given, at every size.`;
    return `At ${delta(0)} the decision is the one that all values would have given for ${percent(fidelity, 3)} of people at ${S(worst.size)}, where it is least often so.`;
}

function priceOfDoubt(model) {
    const cell = lastCell(model);
    const deltas = deltasOf(model).filter((x) => x > 0);
    const baseline = find(cell, 'baseline');
    const at = deltas.find((x) => x >= 0.1) ?? deltas[deltas.length - 1];
    const entry = at && (find(cell, 'tacit', at) ?? find(cell, 'paper', at));
    if (!entry || !baseline) return null;
    return `At ${delta(at)} and ${S(cell.size)}, ${two(entry.leakage.mean)} attributes are asked, with accuracy ${decimal(entry.accuracy.mean)} against ${decimal(baseline.accuracy.mean)} when all are asked.`;
}

function keepsPromises(model) {
    const method = model.cells.some((cell) => find(cell, 'tacit')) ? 'tacit' : 'paper';
    const failures = model.cells.flatMap((cell) =>
        cell.methods
            .filter((entry) => entry.method === method && entry.delta > 0 && entry.failure?.stopped > 0)
            .map((entry) => ({ size: cell.size, delta: entry.delta, ...entry.failure })),
    );
    if (!failures.length) return null;
    const broken = failures.filter((one) => one.low > one.promised);
    if (!broken.length)
        return `In none of ${failures.length} cells (size and δ > 0) did decisions clearly fail more often than promised.`;
    const where = [...new Set(broken.map((one) => short(one.delta)))];
    return `In ${broken.length} of ${failures.length} cells (size and δ > 0) decisions clearly failed more often than promised (their 95\u00a0% interval lies above δ), at ${equals('δ', list(where))}.`;
}

function gridErrs(model) {
    const cells = model.cells.filter((cell) => cell.grid);
    if (!cells.length) return null;
    const sum = (name) => cells.reduce((total, cell) => total + cell.grid[name], 0);
    const people = sum('people');
    if (!people) return null;
    return `The grid test would have stopped ${count(sum('hasty'))} of ${count(people)} people (${share(sum('hasty') / people)}) before their decision was settled, ${count(sum('misled'))} of them with a label that is not theirs.`;
}

/** Sentences about one model. */
export function headline(model) {
    const last = lastCell(model);
    return [
        needs(last),
        closes(model),
        keepsDecisions(model),
        priceOfDoubt(model),
        keepsPromises(model),
        gridErrs(model),
    ].filter(Boolean);
}
