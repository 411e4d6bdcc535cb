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

// What each attribute is worth: some of those asked for it could not do without, some gave it for nothing.
function attributeFigures(names, asked, people) {
    const each = (value) => Object.fromEntries(names.map((name, i) => [name, value(asked[i], i)]));
    const sure = each((n, i) => (i % 3 === 2 ? 0 : Math.floor(n * 0.4)));
    const spare = each((n) => Math.floor(n * 0.2));
    const answers = sum(asked);
    return {
        indispensable: each((_, i) => sure[names[i]] / people),
        indispensable_people: sure,
        spare: {
            people: answers ? 0.15 : 0,
            answers: answers ? sum(Object.values(spare)) / answers : 0,
            people_count: answers ? Math.floor(0.15 * people) : 0,
            answers_count: sum(Object.values(spare)),
            by_attribute: spare,
        },
        if_never_asked: each((n, i) => ({
            proven: 1 - sure[names[i]] / people,
            open: sure[names[i]] / people,
            others: (0.1 * n) / people,
        })),
    };
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
        failure: {
            promised: delta,
            observed,
            low,
            high,
            people: stopped,
            failed,
            state: delta === 0 ? (failed ? 'broken' : 'kept') : high <= delta ? 'kept' : low > delta ? 'broken' : 'not shown',
            more_people: stopped && delta > 0 && high > delta && low <= delta ? 120 : null,
        },
        ...attributeFigures(names, asked, people),
        intervals: {
            mean_asked: [Math.max(0, mean_asked - half), Math.min(n, mean_asked + half)],
            none_asked: shareInterval(none_asked, people),
            fidelity: shareInterval(fidelity, people),
        },
    };
}

const CLASSES = ['repaid', 'default'];

function described(people, labelled, names) {
    const yes = Math.floor(0.7 * people);
    const known = Math.max(1, people - 3);
    const truth = Math.floor(0.68 * known);
    const share = (n, all) => n / all;
    return {
        label: {
            name: 'outcome',
            text: { en: 'outcome of the loan', de: 'Ausgang des Kredits' },
            classes: CLASSES.map((name, i) => ({
                name,
                ...(i ? {} : { text: { en: 'paid back', de: 'zurückgezahlt' } }),
                decided: i ? people - yes : yes,
                share_decided: share(i ? people - yes : yes, people),
                true: labelled ? (i ? known - truth : truth) : null,
                share_true: labelled ? share(i ? known - truth : truth, known) : null,
            })),
        },
        public: ['region', 'loan_amount'],
        public_attributes: ['region', 'loan_amount'].map((name) => ({ name, question: `Please give: ${name}` })),
        about: { purpose: { en: 'deciding about loans', de: 'Entscheidung über Kredite' }, controller: 'Example Bank' },
        remarks: names.length > 1 ? [{ kind: 'determined', columns: [names[0], names[1]], text: 'one follows' }] : [],
        quality: Object.fromEntries(
            names.map((name, i) => [
                name,
                {
                    missing_share: 0.01 * (i % 3),
                    clipped_share: 0.001 * (i % 2),
                    unknown_share: 0,
                    psi: i % 4 ? 0.02 * i : 0.3,
                    training_missing_share: 0.01,
                },
            ]),
        ),
    };
}

function againstMajority(labelled, state) {
    const gain = state === 'better' ? 0.22 : state === 'not shown' ? 0.004 : -0.01;
    return {
        accuracy_low: 0.886,
        accuracy_high: 0.914,
        majority_class: 'repaid',
        majority_accuracy: 0.9006 - gain,
        gain,
        gain_low: gain - 0.02,
        gain_high: gain + 0.02,
        state,
        useful: state === 'better',
        confusion: [
            [Math.floor(0.62 * labelled), Math.floor(0.06 * labelled)],
            [Math.floor(0.04 * labelled), Math.floor(0.28 * labelled)],
        ],
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
    state = 'better',
    extra = {},
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
        labelled: labelled ? Math.max(1, people - 3) : 0,
        sensitive: names,
        attributes: names.map((name, i) => ({
            name,
            ...(bare ? {} : { question: `What is your ${name.replace(/_/g, ' ')}?` }),
            cost: costs ? 1 + (i % 3) / 2 : 1,
        })),
        ...(bare ? {} : described(people, labelled, names)),
        baseline: {
            mean_asked: names.length,
            accuracy: labelled ? 0.9006 : null,
            ...(labelled && !bare ? againstMajority(Math.max(1, people - 3), state) : {}),
        },
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
                      list: groups.map((name, i) => ({
                          name,
                          people: 60 + 40 * i,
                          results: made(60 + 40 * i).map(
                              ({ delta, mean_asked, none_asked, fidelity, failure, intervals }) => {
                                  return { delta, mean_asked, none_asked, fidelity, failure, intervals };
                              },
                          ),
                      })),
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
        ...extra,
    };
}

function grouping(column) {
    const result = (delta, i) => ({
        delta,
        mean_asked: 2 + 0.3 * i,
        fidelity: 0.98,
        accuracy: 0.9,
        failure: { promised: delta, observed: delta / 2, low: delta / 4, high: delta, people: 50, failed: 2, state: 'kept' },
        selection_rate: { repaid: 0.7 - 0.05 * i, default: 0.3 + 0.05 * i },
        false_positive_rate: 0.1,
        false_negative_rate: 0.2,
        intervals: {
            mean_asked: [1.8 + 0.3 * i, 2.2 + 0.3 * i],
            fidelity: [0.95, 0.99],
            accuracy: [0.85, 0.94],
            selection_rate: { repaid: [0.6 - 0.05 * i, 0.8 - 0.05 * i], default: [0.2 + 0.05 * i, 0.4 + 0.05 * i] },
            false_positive_rate: [0.05, 0.15],
            false_negative_rate: [0.1, 0.3],
        },
    });
    const names = ['north', 'south', 'eine Gruppe mit einem recht langen Namen'];
    return {
        columns: column === 'job' ? ['job', 'age'] : [column],
        list: names.map((name, i) => ({
            name,
            names: [name],
            people: 200 + i,
            pooled: false,
            results: [0, 0.05, 0.1].map((delta) => result(delta, i)),
        })),
        suppressed: 2,
        pooled_groups: 0,
        least_people: 20,
        differences: [
            {
                figure: 'mean_asked',
                delta: 0,
                high: { name: 'south', value: 2.3 },
                low: { name: 'north', value: 2 },
                difference: 0.3,
                low_end: 0.05,
                high_end: 0.55,
                beyond_noise: column === 'region',
            },
        ],
    };
}

export const NECESSITY = {
    format: 'tacit-necessity',
    version: 1,
    made_by: '0.1.0',
    data: { file: 'loans.csv', sha256: '0123456789abcdef'.repeat(4), rows: 6000 },
    label: { name: 'outcome', classes: CLASSES },
    model: 'logistic',
    splits: 10,
    seed: 1,
    majority_accuracy: 0.61,
    attributes: NAMES.map((name, i) => ({
        name,
        role: i ? 'sensitive' : 'public',
        accuracy_drop: 0.03 - 0.005 * i,
        low: 0.02 - 0.005 * i,
        high: 0.04 - 0.005 * i,
        asked_change: 0.1 * i,
        asked_low: 0.1 * i - 0.1,
        asked_high: 0.1 * i + 0.1,
        needed: i < 4 ? 'yes' : i < 6 ? 'not shown' : 'no',
    })),
    frontier: NAMES.map((_, i) => ({
        attributes: 8 - i,
        kept: NAMES.slice(0, 8 - i),
        dropped: NAMES.slice(8 - i),
        accuracy: 0.87 - 0.001 * i * i,
        low: 0.86 - 0.001 * i * i,
        high: 0.88 - 0.001 * i * i,
        mean_asked: 4 - 0.4 * i,
        asked_low: 3.9 - 0.4 * i,
        asked_high: 4.1 - 0.4 * i,
        difference: 0.001 * i * i,
        difference_low: 0.001 * i * i - 0.002,
        difference_high: 0.001 * i * i + 0.002,
    })),
    recommended: 2,
    command: 'tacit necessity loans.csv --label outcome',
};

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
    useless: () => makeAudit({ state: 'no better', deltas: [0, 0.1] }),
    one: () => makeAudit({ names: ['income'], people: 1, deltas: [0], groups: null }),
    two: () => makeAudit({ names: ['income', 'job'], people: 2, groups: null }),
    everything: () => makeAudit({ extra: { groupings: [grouping('region'), grouping('job')], necessity: NECESSITY } }),
};

if (process.argv[1]?.endsWith('audit_fixture.mjs')) {
    const make = AUDITS[process.argv[2] ?? 'usual'];
    if (!make) throw new Error(`one of ${Object.keys(AUDITS).join(', ')}`);
    console.log(JSON.stringify(make()));
}
