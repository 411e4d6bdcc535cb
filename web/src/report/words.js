// What the numbers say, in sentences.
import { count, decimal, equals, list, percent, share, short } from '../parts/format.js';
import { RARE, byDelta, isBroken, isOwnTest, needs } from './audit.js';

export const deltaIs = (delta) => equals('δ', short(delta));
const one = (x) => decimal(x, 1);
export const people = (n) => `${count(n)} ${n === 1 ? 'person' : 'people'}`;

/** Said wherever the promise is judged, if need be. */
export const OWN_TEST =
    'But the model was calibrated with people who are counted here: at δ > 0 this is no test of it, other people are.';

// A share that is said to somebody: "24 %", "0.5 %", "99.7 %".
function partOf(x) {
    if (x >= 0.9995 && x < 1) return `more than ${percent(0.999, 1)}`; // not everybody
    if (x > 0.99 && x < 1) return percent(x, 1);
    return x >= 0.001 && x < 0.01 ? percent(x, 1) : share(x);
}

export const sure = (delta) => percent(1 - delta, Number.isInteger(Math.round(1e8 * delta) / 1e6) ? 0 : 1);

/** The sentence above everything. */
export function mainSentence(audit) {
    const first = audit.results[0];
    const n = audit.sensitive.length;
    if (n === 0) return 'No attribute is sensitive: nobody needs to give any.';
    const none = first.none_asked > 0 ? `${partOf(first.none_asked)} need none` : 'all need some';
    return `People need to give ${one(first.mean_asked)} of ${n} sensitive attributes on average; ${none}.`;
}

/** What that sentence holds for. */
export function mainPromise({ delta, fidelity, settled, people: all }) {
    if (delta > 0) return `Decisions that are ${sure(delta)} sure (${deltaIs(delta)}).`;
    if (settled.certain === all || fidelity === 1)
        return `Decisions proven for every value of what was not asked (${deltaIs(0)}). All are the same as if everything had been given.`;
    return `Decisions proven for every value of what was not asked (${deltaIs(0)}).`;
}

function otherDeltas(audit) {
    return audit.results.slice(1).map((result) => {
        const how =
            result.delta === 0
                ? `For decisions that are proven (${deltaIs(0)})`
                : `For decisions that are ${sure(result.delta)} sure (${deltaIs(result.delta)})`;
        const none = result.none_asked > 0 ? `${partOf(result.none_asked)} need none` : 'all need some';
        return `${how}: ${one(result.mean_asked)} attributes on average; ${none}; ${partOf(result.fidelity)} get the same decision as if they had given everything.`;
    });
}

// Attributes that nobody, or hardly anybody, was asked for at the delta of the main sentence.
function dropped(audit) {
    const { delta } = audit.results[0];
    const at = (attribute) => attribute.asked.find((entry) => entry.delta === delta);
    const all = needs(audit);
    const never = all.filter((attribute) => at(attribute).people === 0);
    const rarely = all.filter((attribute) => at(attribute).people > 0 && at(attribute).share < RARE);
    const name = (attribute) => `${attribute.name} (${people(at(attribute).people)})`;
    const few = (items, text) =>
        items.length > 4
            ? `${items.slice(0, 4).map(text).join(', ')} and ${items.length - 4} more`
            : list(items.map(text));
    if (never.length)
        return `Nobody was asked for ${few(never, (attribute) => attribute.name)} at ${deltaIs(delta)}${rarely.length ? `; hardly anybody for ${few(rarely, name)}` : ''}.`;
    if (rarely.length) return `Hardly anybody was asked for ${few(rarely, name)} at ${deltaIs(delta)}.`;
    return `Every attribute was asked of at least ${percent(RARE)} of people at ${deltaIs(delta)}; least often: ${name([...all].sort((a, b) => at(a).people - at(b).people)[0])}.`;
}

function bound({ opt }) {
    if (!opt) return null;
    return opt.inexact
        ? `The smallest sets found that prove a decision (Opt) have ${one(opt.mean_asked)} attributes on average.`
        : `No way of asking can prove decisions with fewer than ${one(opt.mean_asked)} attributes on average (Opt, which looks at all values beforehand).`;
}

function promises(audit) {
    const made = byDelta(audit.results).filter(({ failure }) => failure.people > 0);
    if (!made.length) return null;
    const broken = made.filter(isBroken);
    const test = isOwnTest(audit) ? ` ${OWN_TEST}` : '';
    if (!broken.length)
        return `The promise holds${made.length > 1 ? ' at every δ' : ` at ${deltaIs(made[0].delta)}`}: nowhere did decisions clearly differ more often than allowed.${test}`;
    return `Caution: at ${equals('δ', list(broken.map(({ delta }) => short(delta))))} decisions differed more often than promised.${test}`;
}

function burden({ groups }, { delta }) {
    if (!groups || groups.list.length < 2) return null;
    const means = groups.list.map(({ name, results }) => ({
        name: name || '(empty)',
        mean: results.find((result) => result.delta === delta).mean_asked,
    }));
    means.sort((a, b) => a.mean - b.mean);
    const [least, most] = [means[0], means[means.length - 1]];
    return `By ${groups.column}, people are asked for ${decimal(least.mean, 2)} attributes (${least.name}) to ${decimal(most.mean, 2)} (${most.name}) on average at ${deltaIs(delta)}.`;
}

/** The sentences below it. */
export function moreSentences(audit) {
    if (audit.sensitive.length === 0) return [];
    return [
        ...otherDeltas(audit),
        dropped(audit),
        bound(audit),
        promises(audit),
        burden(audit, audit.results[0]),
    ].filter(Boolean);
}
