// Made-up summaries of experiments, plausible enough to look at: the same numbers every time.
//
//   node tests/fixture.mjs [NAME]      prints one of FIXTURES below

const DELTAS = [0, 0.05, 0.1, 0.2, 0.3];
const ATTRIBUTES = [
    'age',
    'job',
    'marital',
    'education',
    'default',
    'balance',
    'housing',
    'loan',
    'contact',
    'day',
    'month',
    'duration',
    'campaign',
    'pdays',
    'previous',
    'poutcome',
];

// A small generator of its own (Park and Miller): Math.random would differ from run to run.
function randomFrom(seed) {
    let state = seed;
    return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

// People by number asked with about this mean: binomial weights, rounded, the rest at 0.
function histogram(size, mean, people) {
    const p = Math.min(1, mean / size);
    let weight = (1 - p) ** size;
    const counts = Array.from({ length: size + 1 }, (_, k) => {
        const share = p === 1 ? Number(k === size) : weight;
        weight *= ((size - k) / (k + 1)) * (p / (1 - p));
        return Math.floor(share * people);
    });
    counts[0] += people - counts.reduce((a, b) => a + b, 0);
    return counts;
}

const meanOf = (counts) => counts.reduce((sum, n, k) => sum + n * k, 0) / counts.reduce((a, b) => a + b, 0);

// Clopper and Pearson's interval is near enough to Wald's for a picture.
function failureOf(delta, stopped, rate) {
    const failed = Math.round(stopped * rate);
    const observed = stopped ? failed / stopped : null;
    const half = stopped ? 1.96 * Math.sqrt((observed * (1 - observed)) / stopped) : 0;
    return {
        promised: delta,
        stopped,
        failed,
        observed,
        low: stopped ? Math.max(0, observed - half) : null,
        high: stopped ? Math.min(1, observed + half + (failed ? 0 : 3.7 / stopped)) : null,
    };
}

function makeCell(model, size, { reps, methods, people, random, apart }) {
    const network = model === 'mlp';
    const full = network ? 0.9035 : 0.8917;
    const one = reps === 1;
    const stat = (mean, se) => ({ mean, se: one ? null : se });
    const means = {
        baseline: size,
        opt: 0.05 * size ** 1.75,
        paper: (network ? 0.72 : 0.58) * size,
        tacit: 0.058 * size ** 1.75,
    };
    const all = people * reps;
    const entry = (method, delta, rule, mean, accuracy, n, fidelity) => {
        const counts = histogram(size, mean, n);
        const asked = Object.fromEntries(
            ATTRIBUTES.map((name) => [name, { people: Math.floor(random() * 1000), of: 2000 }]),
        );
        return {
            method,
            delta,
            rule,
            accuracy: stat(accuracy, 0.0006 + 0.0004 * random()),
            fidelity: stat(fidelity, fidelity === 1 ? 0 : 0.0004),
            leakage: stat(meanOf(counts), method === 'baseline' ? 0 : 0.02 * size * (0.5 + random())),
            cost: stat(meanOf(counts), 0.1),
            histogram: counts,
            asked,
        };
    };
    const rules = (method) =>
        DELTAS.map((delta) => {
            const shrink = delta === 0 ? 1 : 0.09 / (delta * (1 + (apart && method === 'tacit' ? 0.4 : 0)) + 0.05);
            const mean = delta === 0 ? means[method] : 0.14 * size * shrink;
            const accuracy = full - 0.035 * delta * (1 + 0.08 * size);
            const rule = method === 'tacit' && (delta === 0 || apart) ? (network ? 'margin' : 'stop') : 'entropy';
            const stopped = Math.floor((delta ? 0.8 : 1 - mean / size / 2) * all);
            const rate =
                delta === 0 ? 0 : delta === 0.05 ? 0.058 : 0.55 * delta + (apart && method === 'tacit' ? 0.01 : 0);
            return {
                ...entry(method, delta, rule, mean, accuracy, all, delta ? 1 - 0.1 * delta : 1),
                certain: delta ? Math.floor(0.1 * all) : all,
                likely: delta ? stopped : 0,
                all_revealed: delta ? all - stopped - Math.floor(0.1 * all) : 0,
                failure: failureOf(delta, stopped, rate),
            };
        });
    const opt_people = network ? Math.floor(all / 4) : all;
    const made = {
        baseline: () => [entry('baseline', null, null, size, full, all, 1)],
        opt: () => [{ ...entry('opt', 0, null, means.opt, full, opt_people, 1), people: opt_people, inexact: 0 }],
        paper: () => rules('paper'),
        tacit: () => rules('tacit'),
    };
    // Where both use the same rule the runs are one and the same.
    const list = methods.flatMap((method) => made[method]());
    for (const ours of list.filter((x) => x.method === 'tacit' && x.rule === 'entropy')) {
        const theirs = list.find((x) => x.method === 'paper' && x.delta === ours.delta);
        if (theirs) Object.assign(ours, { ...theirs, method: 'tacit' });
    }
    const exact = (method) => list.find((x) => x.method === method && x.delta === 0);
    for (const x of list.filter((one) => one.delta === 0)) x.accuracy = list[0].accuracy;
    const cell = { size, people: all, methods: list };
    if (exact('paper') && exact('tacit') && exact('opt')) {
        const [paper, tacit, opt] = ['paper', 'tacit', 'opt'].map((method) => exact(method).leakage.mean);
        cell.gap = { paper, tacit, opt, closed: paper === opt ? null : (paper - tacit) / (paper - opt) };
    }
    if (network)
        cell.grid = {
            people: 20 * reps,
            stages: 45 * reps,
            certified: 20 * reps,
            refuted: 24 * reps,
            undecided: reps,
            missed: 3 * size,
            hasty: 2 * size,
            misled: Math.floor(size / 2),
            points: 6 ** size * reps,
        };
    return cell;
}

/** The summary as `tacit experiment` writes it (docs/FORMATS.md). */
export function makeSummary({
    models = ['logistic', 'mlp'],
    reps = 100,
    methods = ['baseline', 'opt', 'paper', 'tacit'],
    sizes = [2, 3, 4, 5, 6, 7],
    apart = false,
} = {}) {
    const random = randomFrom(7);
    const people = 13563;
    return {
        format: 'tacit-experiment',
        version: 1,
        tacit: '0.1.0',
        data: {
            file: 'bank-full.csv',
            sha256: '0123456789abcdef'.repeat(4),
            title: reps === 1 ? '' : 'Bank <Marketing> & "Co"',
            source: 'a made-up file',
            licence: '',
            rows: 45211,
            attributes: ATTRIBUTES,
            inputs: 16,
            label: 'y',
            classes: ['no', 'yes'],
        },
        settings: {
            models,
            methods,
            sizes,
            repetitions: reps,
            deltas: DELTAS,
            seed: 1,
            test_share: 0.3,
            hidden: '10,10',
            epochs: 300,
            batch: 32,
            rate: 0.001,
            momentum: 0,
            adam: false,
            patience: 0,
            ...(models.includes('trees') && { tree_count: 50, tree_depth: 0, tree_rate: 0 }),
            opt_people: models.includes('mlp') ? 3390 : 0,
            grid_people: 20,
        },
        models: models.map((model) => ({
            model,
            cells: sizes.map((size) => makeCell(model, size, { reps, methods, people, random, apart })),
        })),
    };
}

// two: all there is; one: a single repetition has no standard errors; apart: the rules never ask alike; ours: one method,
// one size, so that most comparisons are missing.
export const FIXTURES = {
    two: () => makeSummary(),
    one: () => makeSummary({ models: ['logistic'], reps: 1 }),
    apart: () => makeSummary({ models: ['mlp'], reps: 10, apart: true }),
    ours: () => makeSummary({ models: ['mlp'], reps: 2, methods: ['baseline', 'tacit'], sizes: [5] }),
};

if (process.argv[1]?.endsWith('fixture.mjs')) {
    const make = FIXTURES[process.argv[2] ?? 'two'];
    if (!make) throw new Error(`one of ${Object.keys(FIXTURES).join(', ')}`);
    console.log(JSON.stringify(make()));
}
