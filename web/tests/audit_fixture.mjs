// Made-up audits, plausible enough to look at: the same numbers every time.
//
//   node tests/audit_fixture.mjs [NAME]      prints one of AUDITS below

const NAMES = ['income', 'late_payments', 'job', 'existing_debts', 'employment_years', 'savings', 'housing', 'age'];

// A small generator of its own (Park and Miller): Math.random would differ from run to run.
function randomFrom(seed) {
    let state = seed;
    return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const clamp = (x) => Math.max(0, Math.min(1, x));

// Wald's interval is near enough to Clopper and Pearson's for a picture.
function shareInterval(share, n) {
    const half = 1.96 * Math.sqrt((share * (1 - share)) / n) + 1 / n;
    return [clamp(share - half), clamp(share + half)];
}

// People asked for each attribute: everybody is asked for the first k of an order, k by chance.
function makeResult(delta, names, people, { random, labelled, failing }) {
    const n = names.length;
    const mean = n * (delta === 0 ? 0.45 : 0.3 * (1 - delta));
    const histogram = Array(n + 1).fill(0);
    for (let i = 0; i < people; i++) {
        let k = 0;
        while (k < n && random() < mean / (mean + 1)) k++;
        histogram[k]++;
    }
    // The last attribute is never asked for above delta 0.
    if (delta > 0 && n > 1) {
        histogram[n - 1] += histogram[n];
        histogram[n] = 0;
    }
    const asked = names.map((_, i) => sum(histogram.slice(i + 1)));
    const mean_asked = sum(histogram.map((count, k) => count * k)) / people;
    const square = sum(histogram.map((count, k) => count * (k - mean_asked) ** 2));
    const half = (1.96 * Math.sqrt(square / Math.max(1, people - 1))) / Math.sqrt(people);
    const all_revealed = histogram[n];
    const stopped = people - all_revealed;
    const failed = delta === 0 ? 0 : Math.round(stopped * delta * (failing ? 1.4 : 0.6));
    const observed = stopped ? failed / stopped : null;
    const [low, high] = stopped ? shareInterval(observed, stopped) : [null, null];
    const fidelity = 1 - failed / people;
    const none_asked = histogram[0] / people;
    return {
        delta,
        rule: delta === 0 ? 'stop' : 'entropy',
        people,
        mean_asked,
        share_asked: n ? mean_asked / n : 0,
        mean_cost: mean_asked,
        none_asked,
        fidelity,
        accuracy: labelled ? 0.9 - 0.2 * delta : null,
        histogram,
        asked: Object.fromEntries(names.map((name, i) => [name, asked[i] / people])),
        asked_people: Object.fromEntries(names.map((name, i) => [name, asked[i]])),
        settled: { certain: delta ? 0 : stopped, likely: delta ? stopped : 0, all_revealed },
        calibrated: failing && delta > 0,
        failure: { promised: delta, observed, low, high, people: stopped, failed },
        intervals: {
            mean_asked: [Math.max(0, mean_asked - half), Math.min(n, mean_asked + half)],
            none_asked: shareInterval(none_asked, people),
            fidelity: shareInterval(fidelity, people),
        },
    };
}

/** An audit as `tacit audit --json` writes it (docs/FORMATS.md). */
export function makeAudit({
    names = NAMES,
    deltas = [0, 0.05, 0.1],
    people = 1821,
    groups = ['north', 'south', 'east', 'west'],
    suppressed = 2,
    opt = true,
    labelled = true,
    costs = false,
    failing = false,
    bare = false,
} = {}) {
    const random = randomFrom(11);
    const made = (n) => deltas.map((delta) => makeResult(delta, names, n, { random, labelled, failing }));
    const results = made(people);
    const least = makeResult(0, names, people, { random, labelled });
    return {
        format: 'tacit-audit',
        version: 1,
        made_by: '0.1.0',
        model: { kind: 'logistic', sha256: '0123456789abcdef'.repeat(4) },
        people,
        labelled: labelled ? people - 3 : 0,
        sensitive: names,
        attributes: names.map((name, i) => ({
            name,
            ...(bare ? {} : { question: `What is your ${name.replace(/_/g, ' ')}?` }),
            cost: costs ? 1 + (i % 3) / 2 : 1,
        })),
        baseline: { mean_asked: names.length, accuracy: labelled ? 0.9006 : null },
        ...(opt
            ? {
                  opt: {
                      mean_asked: least.mean_asked,
                      mean_cost: least.mean_cost,
                      histogram: least.histogram,
                      inexact: costs ? 4 : 0,
                  },
              }
            : {}),
        cells: { clipped: costs ? 12 : 0, missing: costs ? 1 : 0, unknown: 0 },
        results,
        ...(groups
            ? {
                  groups: {
                      column: 'region',
                      list: groups.map((name, i) => ({ name, people: 60 + 40 * i, results: made(60 + 40 * i) })),
                      suppressed,
                      least_people: 20,
                  },
              }
            : {}),
        data: {
            files: bare ? [] : ['loans.csv'],
            sha256: bare ? [] : ['fedcba9876543210'.repeat(4)],
            part: bare ? 'all' : 'held_out',
        },
        ...(bare ? {} : { command: 'tacit audit loans.tacit loans.csv --held-out --group region' }),
    };
}

const many = Array.from({ length: 45 }, (_, i) => `an attribute with quite a long name, number ${i + 1}`);

// usual: all there is; bare: one delta and nothing that may be missing; many: long names, many of everything, costs, a
// broken promise; close: no outcomes, and decisions that hardly ever differ; public: nothing is sensitive.
export const AUDITS = {
    usual: () => makeAudit(),
    bare: () => makeAudit({ deltas: [0.05], groups: null, opt: false, labelled: false, bare: true, people: 20 }),
    many: () =>
        makeAudit({
            names: many,
            deltas: [0.1, 0, 0.01, 0.02, 0.3],
            groups: Array.from({ length: 12 }, (_, i) => `${'a group with a long name '.repeat(1 + (i % 3))}${i}`),
            suppressed: 1,
            costs: true,
            failing: true,
        }),
    close: () => makeAudit({ deltas: [0, 0.01], labelled: false }),
    public: () => makeAudit({ names: [], groups: null }),
    hidden: () => makeAudit({ names: ['income'], groups: [], suppressed: 5 }),
};

if (process.argv[1]?.endsWith('audit_fixture.mjs')) {
    const make = AUDITS[process.argv[2] ?? 'usual'];
    if (!make) throw new Error(`one of ${Object.keys(AUDITS).join(', ')}`);
    console.log(JSON.stringify(make()));
}
