// What was run, what it cost, and what to keep in mind: the sections of docs/RESULTS.md around the numbers.
import { cellsOf, find, isSampled, pairsOf, sampled, setsOf, MODEL_NAMES, SET_NAMES } from './read.mjs';
import {
  bullets, code, count, duration, factor, heading, list, paragraph, percent, size, table, ABOVE, PROVEN,
} from './text.mjs';

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const first = (results) => Object.values(results.sets)[0];
const title = ({ set, model }) => `${SET_NAMES[set]}, ${MODEL_NAMES[model]}`;

// ---------------------------------------------------------------- what was run

function modelText(model, settings) {
  if (model !== 'mlp') return 'logistic regression (multinomial for three classes and more)';
  return `networks (hidden layers ${settings.hidden.replace(/,/g, ' and ')}, ReLU)`;
}

function trainingText({ adam, batch, rate, momentum, epochs, patience }) {
  const parts = [adam ? 'Adam' : 'stochastic gradient descent', `batch ${batch}`, `rate ${rate}`];
  if (momentum) parts.push(`momentum ${momentum}`);
  parts.push(`${epochs} epochs`);
  if (patience) parts.push(`early stop after ${patience}`);
  return parts.join(', ');
}

function settingsText({ settings }) {
  const { sizes, test_share: held } = settings;
  return `${list(settings.models.map((model) => modelText(model, settings)))}; |S| from ${sizes[0]} to
    ${sizes[sizes.length - 1]}; ${settings.repetitions} repetitions, each with its own split (${percent(1 - held)} for
    training, ${percent(held)} held out), its own model and its own draw of S; δ of
    ${list(settings.deltas.map(String))}; everybody held out is decided about. Networks are trained by
    ${trainingText(settings)}. Seed ${settings.seed}.`;
}

const METHODS = [
  '**Baseline**: everything sensitive is asked.',
  `**Opt**: the smallest set that proves the decision, chosen knowing all values. A lower bound at ${PROVEN}, not a
    protocol.`,
  `**Paper’s rule**: the order of questions of the paper (least expected entropy), computed exactly or by quadrature
    instead of from 1000 samples, and stopped by our test. At ${PROVEN} that test is a proof over the whole domain, for
    networks too.`,
  `**Ours**: what \`tacit\` does by default. At ${PROVEN} it asks for what is most likely to complete the proof
    or, while nothing is, for what leaves the largest margin in the worst case; at ${ABOVE} it goes by the paper’s
    order, for networks as found from people drawn ([METHOD.md](METHOD.md), sections 6, 7 and 14).`,
];

function dataTable(results) {
  const rows = setsOf(results).map((set) => {
    const { data, settings, models } = results.sets[set];
    const people = Math.round(models[0].cells[0].people / settings.repetitions);
    return [SET_NAMES[set], `\`${data.file}\``, count(data.rows), count(people), data.attributes.length, data.inputs,
      data.classes.length, `[results/${set}.json](results/${set}.json)`];
  });
  return table(['data set', 'file', 'rows', 'held out', 'attributes', 'inputs', 'classes', 'numbers'], rows, [1, 7]);
}

/** Were all data sets run alike, but for samples? */
function alike(results) {
  const settings = Object.values(results.sets).map((summary) =>
    JSON.stringify({ ...summary.settings, opt_people: 0, grid_people: 0 }));
  return new Set(settings).size === 1;
}

export function whatWasRun(results) {
  const command = results.evaluation?.command ?? 'tools/evaluate.sh DATA OUT';
  return [heading(2, 'What was run'),
    paragraph(`The evaluation of C. Tran and F. Fioretto, *Personalized Privacy Auditing and Optimization at Test Time*
      (“the paper”), again, with our own rule beside theirs: ${settingsText(first(results))}`),
    alike(results) ? '' : paragraph('Settings differ between data sets: see `settings` in each file of numbers.'),
    bullets(METHODS), dataTable(results),
    code([command, 'cp OUT/*.json docs/results/', 'node web/tools/results.mjs docs/results >docs/RESULTS.md']),
    paragraph(`Where the data files come from and how their columns are read is in
      [datasets/README.md](../datasets/README.md). This page is printed by the last command: no number in it is typed by
      hand, and a test compares it with what the command prints. Every number comes from the summaries named in the
      table, which \`tacit experiment\` wrote; they hold counts of people, means over repetitions and standard errors
      over repetitions (“±”), and nothing that depends on the machine. The same seed gives the same bytes.`),
  ].filter(Boolean).join('\n');
}

// ---------------------------------------------------------------- what it cost

/** Seconds of one core that the literal algorithm would need for the people of some rows. */
function literalSeconds(rows) {
  const mean = sum(rows.map((row) => row.walk * row.people + row.opt * row.optPeople));
  const variance = sum(rows.map((row) => (row.walkError * row.people) ** 2 + (row.optError * row.optPeople) ** 2));
  return { mean: mean / 1e6, error: Math.sqrt(variance) / 1e6 };
}

/** Rows measured at what was run here, with the people decided about and those of Opt, all repetitions together. */
function literalRows(results) {
  return (results.literal?.rows ?? []).flatMap((row) =>
    cellsOf(results, { sets: [row.set], models: [row.model], sizes: [row.size] }).map(({ cell }) =>
      ({ ...row, people: cell.people, optPeople: find(cell, 'opt')?.people ?? 0 })));
}

function costOf({ evaluation, ...results }) {
  if (!evaluation) return null;
  const seconds = sum(Object.values(evaluation.seconds));
  const rows = literalRows(results);
  const whole = literalSeconds(rows);
  const { threads, cores = threads } = evaluation;
  return { seconds, rows, whole, threads, cores, shared: whole.mean / threads, times: whole.mean / threads / seconds };
}

/** One sentence or two; nothing when nobody looked at the clock. */
export function costInShort(results) {
  const cost = costOf(results);
  if (!cost) return [];
  const literal = cost.rows.length
    ? ` The algorithm as the paper writes it would have taken ${duration(cost.shared)} on the same cores,
      ${factor(cost.times)} times as long.` : '';
  return [`**It took ${duration(cost.seconds)}** on ${cost.cores} cores.${literal}`];
}

function literalRow(pair, rows) {
  const mine = rows.filter((row) => row.set === pair.set && row.model === pair.model);
  if (!mine.length) return [title(pair), '–', '–', '–', 'not measured'];
  const top = mine.reduce((a, b) => (b.size > a.size ? b : a));
  const { mean, error } = literalSeconds(mine);
  return [title(pair), count(top.measured), duration(top.walk / 1e6), duration(top.opt / 1e6),
    `${duration(mean)} ± ${percent(error / mean)}`];
}

function literalText(results, { rows, whole, shared, threads, times, seconds }) {
  const top = Math.max(...rows.map((row) => row.size));
  const deltas = [...new Set(rows.map((row) => row.deltas.join(', ')))].join('; ');
  const missing = pairsOf(results)
    .filter(({ set, model }) => !rows.some((row) => row.set === set && row.model === model))
    .map((pair) => title(pair).toLowerCase());
  const without = missing.length ? ` Not measured, and not in the sum: ${missing.join('; ')}.` : '';
  return [
    paragraph(`Beside it the algorithm as the paper writes it (${results.literal.samples} samples per candidate, a walk
      for each δ, all subsets for Opt, the grid for networks), in plain C, measured on some people of each data set and
      multiplied: for one person at ${size(top)} (δ of ${deltas} together, and Opt), and for all that was run here on
      one core, training not counted. Printed by \`bench/bench_literal\`, from
      [results/literal.json](results/literal.json).`),
    table(['', 'measured', 'all δ, one person', 'Opt, one person', 'the whole, one core'],
      pairsOf(results).map((pair) => literalRow(pair, rows))),
    paragraph(`Together ${duration(whole.mean)} of one core (± ${percent(whole.error / whole.mean)}), or
      ${duration(shared)} on ${threads}: ${factor(times)} times the ${duration(seconds)} that it took here.${without}`),
  ].join('\n');
}

export function cost(results) {
  const { evaluation } = results;
  const it = costOf(results);
  if (!it) return '';
  const sets = setsOf(results);
  const times = sets.map((set) => (evaluation.seconds[set] == null ? '–' : duration(evaluation.seconds[set])));
  return [heading(2, 'What it cost'),
    paragraph(`Wall time of the whole, training included, on ${it.cores} cores with ${it.threads}
      threads${evaluation.tacit ? ` (tacit ${evaluation.tacit})` : ''}; from
      [results/evaluation.json](results/evaluation.json):`),
    table([...sets.map((set) => SET_NAMES[set]), '**all**'], [[...times, `**${duration(it.seconds)}**`]]),
    it.rows.length ? literalText(results, it) : '',
  ].filter(Boolean).join('\n');
}

// ---------------------------------------------------------------- what to keep in mind

function sampleText(results) {
  if (!isSampled(results)) return '**Opt is not sampled**: it was found for everybody, in every cell.';
  const sets = setsOf(results).filter((set) => cellsOf(results, { sets: [set] }).some(sampled));
  const people = (set) => count(results.sets[set].settings.opt_people);
  const numbers = new Set(sets.map(people)).size === 1 ? people(sets[0])
    : list(sets.map((set) => `${SET_NAMES[set].toLowerCase()} ${people(set)}`));
  return `**Opt for networks is sampled**: ${numbers} people per repetition and size, evenly spread over the held-out
    part.`;
}

function inexactText(results) {
  const inexact = sum(cellsOf(results).map(({ cell }) => find(cell, 'opt')?.inexact ?? 0));
  if (!inexact)
    return '**Opt is exact** for everybody for whom it was found: no search met a set that could not be decided.';
  return `**Opt is not always exact.** ${count(inexact)} searches met a set that could not be decided within the budget;
    their Opt may be too large, and the gap closed too favourable.`;
}

/** Where the paper counts features otherwise than the file has attributes. */
function countsText(results) {
  return [['credit', 22], ['insurance', 16]].flatMap(([set, said]) => {
    const have = results.sets[set]?.data.attributes.length ?? said;
    return have === said ? [] : [`**${SET_NAMES[set]}.** The paper has ${said} features, the file ${have}; which was
      left out is not said, and none is here.`];
  });
}

function adultText({ sets: { adult } }) {
  if (!adult) return [];
  return [`**Adult.** The paper speaks of 40 features after preprocessing and seems to draw S among them. Here a question
    is an attribute: S is drawn among ${adult.data.attributes.length} attributes, which feed ${adult.data.inputs} inputs,
    since nobody can be asked for one column of a one-hot code.`];
}

export function caveats(results) {
  return [heading(2, 'What to keep in mind'), bullets([
    `**Repetitions are not independent samples of people.** Each splits the same file anew, so a person is held out in
      about ${percent(first(results).settings.test_share)} of them. Standard errors tell how much splits, models and
      draws of S vary; they do not tell how another file of people would do.`,
    `**S is nested.** Within a repetition the attributes are put in random order once and S is the first |S| of them,
      with one split and one model for all sizes. Differences between sizes are therefore better known than the standard
      errors suggest, and a lucky repetition is lucky at every size. Both models share splits and draws.`,
    `**Domains are those of the whole file**, held-out people included, so that no value is clipped. Proofs are about
      these domains.`,
    `**At ${ABOVE} we also stop when the decision is proven**, which the paper does not. It can only ask for fewer.`,
    `**The paper’s rule is ours to compute.** Its expected entropies are exact (two classes, linear) or by quadrature
      instead of from 1000 samples, and for networks its stopping test is our proof instead of its grid. The numbers for
      it are those of its idea, without its noise and without its errors.`,
    ...adultText(results), ...countsText(results), sampleText(results), inexactText(results),
    `**What the paper does not say**, and we chose: which columns were used and how they were coded and filled; how
      logistic regression was regularised; whether S was drawn anew for every size; the δ beyond those in its text (0,
      0.05 and 0.1); which |S| its Figure 1 shows; where the grid’s points lie; whether conditioning is on public values
      too (it is, here); and whether its percentages of accuracy are percentage points or fractions. Numbers can be
      compared with its figures only as far as these choices agree.`,
  ])].join('\n');
}
