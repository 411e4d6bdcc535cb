// The sections of docs/RESULTS.md about the numbers.  Each is a function of the results alone and returns Markdown.
import {
  cellsOf, failuresOf, find, gridSums, isSampled, lossOf, pairsOf, placesOf, sampled, setsOf, shareOf, FIGURES, MODELS,
  MODEL_NAMES, SET_NAMES,
} from './read.mjs';
import { costInShort } from './run.mjs';
import {
  bullets, count, decimal, delta, fine, heading, list, located, measured, paragraph, percent, pictures, points, range,
  ranges, size, table, where, ABOVE, PROVEN,
} from './text.mjs';

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const minOf = (items, valueOf) => items.reduce((a, b) => (valueOf(b) < valueOf(a) ? b : a));
const maxOf = (items, valueOf) => items.reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a));
const last = (items) => items[items.length - 1];
const title = ({ set, model }) => `${SET_NAMES[set]}, ${MODEL_NAMES[model]}`;
const nameOf = ({ set }) => SET_NAMES[set].toLowerCase();
const faithful = ({ entry }) => entry.fidelity.mean === 1;

// ---------------------------------------------------------------- Opt

/** What must be said under every table that uses Opt, if anything; `rest` is about its other columns. */
function optNotes(places, rest) {
  const notes = [];
  const part = places.filter(sampled);
  if (part.length) {
    const people = sum(part.map(({ cell }) => find(cell, 'opt').people));
    const all = sum(part.map(({ cell }) => cell.people));
    const models = [...new Set(part.map((place) => MODEL_NAMES[place.model]))];
    notes.push(`Opt was found for a sample (${list(models)}: ${count(people)} of ${count(all)} people, all sizes
      together); ${rest}.`);
  }
  const inexact = sum(places.map(({ cell }) => find(cell, 'opt')?.inexact ?? 0));
  if (inexact)
    notes.push(`For ${count(inexact)} people the search for Opt met a set that could not be decided: their Opt is an
      upper bound.`);
  return notes.length ? paragraph(notes.join(' ')) : '';
}

/** (paper − ours) / (paper − Opt) over several cells. */
function closedOver(places) {
  const gaps = places.map((place) => place.cell.gap).filter(Boolean);
  const [paper, tacit, opt] = ['paper', 'tacit', 'opt'].map((key) => sum(gaps.map((gap) => gap[key])));
  return gaps.length && paper > opt ? (paper - tacit) / (paper - opt) : null;
}

// ---------------------------------------------------------------- in short

function nothingLost(results) {
  const exact = ['paper', 'tacit'].flatMap((method) => placesOf(results, method, { deltas: [0] }));
  const kept = exact.filter(faithful).length;
  const accurate = exact.filter(({ entry, base }) => entry.accuracy.mean === base.accuracy.mean).length;
  const nothing = kept === exact.length && accurate === exact.length ? ' nothing is lost' : '';
  return `**With proof (${PROVEN})${nothing}.** In ${kept} of ${exact.length} cells (data set, model, |S|, rule)
    everybody gets the decision that all values would have given, and in ${accurate} of ${exact.length} the accuracy
    equals that of the full model to the last digit, networks included.`;
}

function sharesAtZero(results, model) {
  const places = placesOf(results, 'tacit', { models: [model], deltas: [0] });
  if (!places.length) return [];
  const top = Math.max(...places.map((place) => place.size));
  const at = places.filter((place) => place.size === top);
  const [low, high] = [minOf(at, shareOf), maxOf(at, shareOf)];
  const name = model === 'mlp' ? 'Networks' : 'Logistic regression';
  return [`**${name}, proven, ${size(top)}:** on average our rule asks for between ${fine(shareOf(low))}
    (${nameOf(low)}) and ${fine(shareOf(high))} (${nameOf(high)}) of what is sensitive.`];
}

function gapText(results, model) {
  const sets = setsOf(results)
    .map((set) => ({ set, closed: closedOver(cellsOf(results, { sets: [set], models: [model] })) }))
    .filter(({ closed }) => closed != null);
  if (!sets.length) return null;
  const [low, high] = [minOf(sets, (x) => x.closed), maxOf(sets, (x) => x.closed)];
  const ends = percent(low.closed) === percent(high.closed) ? percent(low.closed)
    : `${percent(low.closed)} (${nameOf(low)}) to ${percent(high.closed)} (${nameOf(high)})`;
  return `${MODEL_NAMES[model]} ${ends}`;
}

/** Cells by who asks for more at delta = 0. */
function contest(results) {
  const cells = cellsOf(results).filter(({ cell }) => find(cell, 'paper', 0) && find(cell, 'tacit', 0));
  const asked = ({ cell }, method) => find(cell, method, 0).leakage.mean;
  return {
    cells,
    asked,
    more: cells.filter((place) => asked(place, 'tacit') > asked(place, 'paper')),
    fewer: cells.filter((place) => asked(place, 'tacit') < asked(place, 'paper')),
  };
}

function fewerQuestions(results) {
  const { cells, more } = contest(results);
  const gaps = MODELS.map((model) => gapText(results, model)).filter(Boolean);
  if (!gaps.length) return [];
  return [`**Our rule against the paper’s.** At ${PROVEN} ours asks for more in ${more.length} of ${cells.length} cells.
    Of the gap between the paper’s rule and Opt it closes, over all sizes:
    ${gaps.join('; ')}${isSampled(results) ? '; Opt for networks on a sample of people' : ''}.`];
}

function pricesAt(results, at) {
  return MODELS.flatMap((model) => {
    const places = placesOf(results, 'tacit', { models: [model], deltas: [at] });
    if (!places.length) return [];
    const [low, high, worst] = [minOf(places, shareOf), maxOf(places, shareOf), maxOf(places, lossOf)];
    return [`${MODEL_NAMES[model]}: ${range(fine(shareOf(low)), fine(shareOf(high)))} of |S| asked, accuracy lower by
      ${located(`${points(lossOf(worst))} at most`, worst, places)}`];
  });
}

function promises(results) {
  const all = failuresOf(results);
  if (!all.length) return [];
  const broken = all.filter(({ entry }) => entry.failure.low > entry.failure.promised);
  const deltas = [...new Set(broken.map((place) => place.delta))].sort((a, b) => a - b).map(String);
  return [`**Promises at ${ABOVE}.** Decisions failed more often than promised, by more than the 95\u00a0% interval
    allows, in ${broken.length} of ${all.length} cells${deltas.length ? ` (δ of ${list(deltas)})` : ''}.`];
}

function gridInShort(results) {
  const { people, hasty, misled } = gridSums(results);
  if (!people) return [];
  return [`**The grid is no proof.** Of ${count(people)} people decided by a network, the paper’s grid would have stopped
    ${count(hasty)} (${fine(hasty / people)}) before their decision was settled, ${count(misled)} of them with a label
    that is not theirs.`];
}

function verdicts(claims, method) {
  const tally = (verdict) => claims.filter((claim) => claim[method].verdict === verdict).length;
  const untested = tally('not tested') ? `, ${tally('not tested')} were not tested` : '';
  return `${tally('holds')} hold, ${tally('holds in part')} in part, ${tally('does not hold')} do not${untested}`;
}

export function inShort(results, claims) {
  const prices = pricesAt(results, 0.1);
  return [heading(2, 'In short'), bullets([
    nothingLost(results),
    ...MODELS.flatMap((model) => sharesAtZero(results, model)),
    ...fewerQuestions(results),
    ...(prices.length ? [`**With a tenth of doubt (${delta(0.1)})**, over all sizes: ${prices.join('; ')}.`] : []),
    ...promises(results),
    ...gridInShort(results),
    `**The paper’s claims.** Of ${claims.length}, with the paper’s rule ${verdicts(claims, 'paper')}; with ours
      ${verdicts(claims, 'tacit')}.`,
    ...costInShort(results),
  ])].join('\n');
}

// ---------------------------------------------------------------- our rule beside the paper's

function gapRow(results, pair) {
  const cells = cellsOf(results, { sets: [pair.set], models: [pair.model] }).filter(({ cell }) => cell.gap);
  if (!cells.length) return null;
  const { gap } = last(cells).cell;
  const closed = cells.map(({ cell }) => cell.gap.closed).filter((x) => x != null);
  return [title(pair), decimal(gap.paper, 3), decimal(gap.tacit, 3), decimal(gap.opt, 3), percent(closedOver(cells)),
    closed.length ? range(percent(Math.min(...closed)), percent(Math.max(...closed))) : '–'];
}

function compareAtZero(results) {
  const { cells, asked, more, fewer } = contest(results);
  const lost = more.map((place) =>
    `${where(place)} (${decimal(asked(place, 'tacit'), 4)} against ${decimal(asked(place, 'paper'), 4)})`);
  return paragraph(`Of ${cells.length} cells, our rule asks for fewer attributes than the paper’s in ${fewer.length}, for
    equally many in ${cells.length - more.length - fewer.length}, and for more in ${more.length}.
    ${lost.length ? `More: ${lost.join('; ')}.` : ''}`);
}

function compareAbove(results) {
  const places = placesOf(results, 'tacit')
    .filter((place) => place.delta > 0 && find(place.cell, 'paper', place.delta));
  const paper = ({ cell, delta: x }) => find(cell, 'paper', x);
  const numbers = (entry) => JSON.stringify({ ...entry, method: null });
  const others = places.filter((place) => numbers(place.entry) !== numbers(paper(place)));
  const more = others.filter((place) => place.entry.leakage.mean > paper(place).leakage.mean);
  return paragraph(`At ${ABOVE} our rule asks as the paper’s does, for the least expected entropy: with one score it also
    maximises the chance that the next answer settles the decision ([METHOD.md](METHOD.md), Corollary 6). For logistic
    regression one walk serves both. For networks the paper takes scores for linear in what is not known; ours decides
    about people drawn (section 14). The two have the same numbers in ${places.length - others.length} of
    ${places.length} cells; in ${more.length} of the others ours asks for more.`);
}

function fidelityText(results) {
  const [ours, paper] = ['tacit', 'paper'].map((method) => placesOf(results, method, { models: ['mlp'], deltas: [0] }));
  if (!ours.length) return '';
  return paragraph(`Networks at ${PROVEN}: fidelity is exactly 1 in ${ours.filter(faithful).length} of ${ours.length}
    cells with our rule, and in ${paper.filter(faithful).length} of ${paper.length} with the paper’s.`);
}

export function ourRule(results) {
  const top = Math.max(...cellsOf(results).map((place) => place.size));
  const rows = pairsOf(results).map((pair) => gapRow(results, pair)).filter(Boolean);
  const gaps = [
    paragraph(`Mean number asked at ${PROVEN} and ${size(top)}, and how much of the way from the paper’s rule to Opt ours
      goes: over all sizes together, and the least and the most at one size. All three means are over the people for whom
      Opt was found.`),
    table(['', 'paper’s rule', 'ours', 'Opt', 'gap closed', 'by size'], rows),
    optNotes(cellsOf(results), 'all columns are about these people'),
  ];
  return [heading(2, 'Our rule beside the paper’s'), compareAtZero(results), ...(rows.length ? gaps : []),
    compareAbove(results), fidelityText(results)].filter(Boolean).join('\n');
}

// ---------------------------------------------------------------- promised and observed failure

function failureCell({ failure } = {}) {
  if (!failure?.stopped) return '–';
  const { observed, low, high, promised } = failure;
  const text = `${percent(observed, 2)} (${decimal(100 * low, 2)}–${decimal(100 * high, 2)})`;
  return low > promised ? `**${text}**` : text;
}

/** One row per data set, model and delta. */
function brokenRows(broken) {
  const groups = new Map();
  for (const place of broken) {
    const id = `${place.set} ${place.model} ${place.delta}`;
    groups.set(id, [...(groups.get(id) ?? []), place]);
  }
  return [...groups.values()].map((places) => {
    const worst = maxOf(places, (place) => place.entry.failure.observed);
    const { observed, failed, stopped } = worst.entry.failure;
    return [title(worst), worst.delta, ranges(places.map((place) => place.size)),
      `${percent(observed, 2)} at ${size(worst.size)}`, count(failed), count(stopped)];
  });
}

export function failures(results) {
  const all = failuresOf(results);
  if (!all.length) return '';
  const deltas = [...new Set(all.map((place) => place.delta))].sort((a, b) => a - b);
  const rows = pairsOf(results).map((pair) => {
    const { cell } = last(cellsOf(results, { sets: [pair.set], models: [pair.model] }));
    return [title(pair), ...deltas.map((x) => failureCell(find(cell, 'tacit', x)))];
  });
  const over = all.filter(({ entry }) => entry.failure.observed > entry.failure.promised);
  const broken = over.filter(({ entry }) => entry.failure.low > entry.failure.promised);
  const worst = [paragraph('Where the whole interval is above δ, and where it is worst:'),
    table(['', 'δ', '|S|', 'observed', 'failed', 'of'], brokenRows(broken), [2])];
  return [heading(2, 'Promised and observed failure'),
    paragraph(`At ${ABOVE} a decision may be taken because a Gaussian says that it is right with probability
      1\u00a0−\u00a0δ. Of the people stopped on the strength of that, the share who got another label than all values
      would have given, at the largest |S|, with its 95\u00a0% Clopper–Pearson interval. **Bold**: the whole interval is
      above δ.`),
    table(['', ...deltas.map(delta)], rows),
    paragraph(`Over all sizes the observed share exceeds δ in ${over.length} of ${all.length} cells, and in
      ${broken.length} of them the whole interval is above it. People occur in the held-out part of several repetitions,
      so these intervals are narrower than they should be.`),
    ...(broken.length ? worst : [])].join('\n');
}

// ---------------------------------------------------------------- the grid beside the proof

const GRID = ['people', 'stages', 'refuted', 'missed', 'hasty', 'misled', 'undecided'];

export function grid(results) {
  const total = gridSums(results);
  if (!total.people) return '';
  const row = (name, sums) => [name, ...GRID.map((key) => count(sums[key]))];
  const sets = setsOf(results).map((set) => [SET_NAMES[set], gridSums(results, { sets: [set] })]);
  const sizes = [...new Set(cellsOf(results, { models: ['mlp'] }).map((place) => place.size))].sort((a, b) => a - b);
  const right = placesOf(results, 'tacit', { models: ['mlp'], deltas: [0] }).every(faithful);
  const missed = total.refuted ? `calls ${fine(total.missed / total.refuted)} of refuted stages settled, and ` : '';
  return [heading(2, 'The grid beside the proof'),
    paragraph(`For networks the paper looks at five values of each unknown input (Δ\u00a0=\u00a00.2). Both tests were put
      to some people of every repetition and size, at every stage of their questionnaire by our rule. *Refuted*: stages
      at which two people with the same known values get different labels, shown by example. *Missed*: of these, stages
      at which the grid sees one label only. *Hasty*: people whom the grid would have stopped before the proof does.
      *Misled*: of these, people who would have got a label that is not theirs. *Undecided*: stages at which our own
      proof gave up and one more question was asked.`),
    table(['network', ...GRID], [...sets.filter(([, sums]) => sums.people).map(([name, sums]) => row(name, sums)),
      row('**all**', total)]),
    table(['|S|', ...GRID], sizes.map((n) => row(n, gridSums(results, { sizes: [n] })))),
    paragraph(`The grid ${missed}gives ${fine(total.misled / total.people)} of people a wrong
      label${right ? '; the proof gives none' : ''}.`),
  ].join('\n');
}

// ---------------------------------------------------------------- data set by data set

function zeroTable(cells) {
  const rows = cells.map(({ cell, size: n }) => {
    const [paper, ours, opt] = [find(cell, 'paper', 0), find(cell, 'tacit', 0), find(cell, 'opt')];
    return [n, ...[paper, ours, opt].map((entry) => (entry ? measured(entry.leakage, 3) : '–')),
      ours ? percent(ours.leakage.mean / n, 1) : '–', percent(cell.gap?.closed)];
  });
  return [paragraph(`Attributes asked on average at ${PROVEN} (proven):`),
    table(['|S|', 'paper’s rule', 'ours', 'Opt', 'ours, of |S|', 'gap closed'], rows),
    optNotes(cells, 'the gap closed compares all three over these same people, the other columns are about everybody'),
  ].filter(Boolean).join('\n');
}

function deltaTables(cells, deltas) {
  const byDelta = (cell, write) => deltas.map((x) => {
    const entry = find(cell, 'tacit', x);
    return entry ? write(entry) : '–';
  });
  const asked = cells.map(({ cell, size: n }) =>
    [n, ...byDelta(cell, ({ leakage }) => `${measured(leakage, 3)} (${percent(leakage.mean / n, 1)})`)]);
  const accuracy = cells.map(({ cell, base, size: n }) => [n, base ? measured(base.accuracy, 2, 100) : '–',
    ...byDelta(cell, (entry) => decimal(100 * entry.accuracy.mean, 2))]);
  return [paragraph('Attributes asked on average by our rule, and as a share of |S|:'),
    table(['|S|', ...deltas.map(delta)], asked),
    paragraph('Accuracy in percent, with everything asked and by δ:'),
    table(['|S|', 'all asked', ...deltas.map(delta)], accuracy)].join('\n');
}

function smallestFigure({ cell, size: n }) {
  const opt = find(cell, 'opt');
  if (!opt) return '';
  const all = sum(opt.histogram);
  return [paragraph(`Size of the smallest core set at ${size(n)} (the paper’s Figure 1, right): share of people who need
      so many.`),
    table(opt.histogram.map((_, k) => k), [opt.histogram.map((people) => fine(people / all))]),
    pictures([{
      file: FIGURES.smallest.file,
      alt: 'Credit, logistic regression: people by size of their smallest core set',
    }])].join('\n');
}

function askedFigure({ cell, size: n }) {
  const shown = cell.methods.filter(({ method, delta: x }) => method === 'tacit' || (method === 'paper' && x === 0));
  const name = (entry) => (entry.delta > 0 ? '' : entry.method === 'tacit' ? ', ours' : ', paper’s rule');
  const rows = shown.map((entry) => [`${delta(entry.delta)}${name(entry)}`,
    ...entry.histogram.map((people) => fine(people / sum(entry.histogram)))]);
  return [paragraph(`People by number asked at ${size(n)} (the paper’s Figure 2):`),
    table(['asked', ...Array(n + 1).keys()], rows),
    pictures([{
      file: FIGURES.asked.file,
      alt: 'Bank, logistic regression: people by number of attributes asked, one histogram for each delta',
    }])].join('\n');
}

function modelSection(results, { set, model }) {
  const cells = cellsOf(results, { sets: [set], models: [model] });
  const is = (figure) => figure.set === set && figure.model === model;
  const alt = (what) => `${title({ set, model })}: ${what} against the number of sensitive attributes, for all methods
    and values of delta`;
  return [heading(4, title({ set, model })), zeroTable(cells), deltaTables(cells, results.sets[set].settings.deltas),
    pictures([{ file: FIGURES.accuracy(set, model), alt: alt('accuracy'), half: true },
      { file: FIGURES.leakage(set, model), alt: alt('attributes asked'), half: true }]),
    is(FIGURES.smallest) ? smallestFigure(last(cells)) : '',
    is(FIGURES.asked) ? askedFigure(last(cells)) : '',
  ].filter(Boolean).join('\n');
}

export function dataSets(results) {
  const parts = [heading(2, 'Data set by data set'),
    paragraph(`“±” is one standard error over repetitions. At ${ABOVE} both rules are one, so there is one column.
      Standard errors of all accuracies, and how often each attribute was asked for, are in the files of numbers.`)];
  for (const set of setsOf(results)) {
    const { data, models } = results.sets[set];
    parts.push(heading(3, SET_NAMES[set]),
      paragraph(`${data.title || data.file}: ${data.attributes.length} attributes, ${data.classes.length} classes. All
        numbers from [results/${set}.json](results/${set}.json).`));
    for (const { model } of models) parts.push(modelSection(results, { set, model }));
  }
  return parts.join('\n');
}
