// Reading a folder of results: one summary of `tacit experiment` per data set (docs/FORMATS.md), and beside them
// evaluation.json (what it took), literal.json (what the paper's algorithm as written would take) and trees.json (what
// bench/figures_trees wrote), all optional.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const SETS = ['bank', 'adult', 'credit', 'insurance', 'customer', 'fetal'];
export const MODELS = ['logistic', 'mlp'];

export const SET_NAMES = {
  bank: 'Bank', adult: 'Adult', credit: 'Credit', insurance: 'Insurance', customer: 'Customer', fetal: 'Fetal health',
};
export const MODEL_NAMES = { logistic: 'logistic regression', mlp: 'network' };

// Figures, relative to docs/: extracted from the pages of the experiments.
export const FIGURES = {
  accuracy: (set, model) => `figures/${set}-${model}-accuracy.svg`,
  leakage: (set, model) => `figures/${set}-${model}-leakage.svg`,
  smallest: { file: 'figures/credit-logistic-smallest.svg', set: 'credit', model: 'logistic' },
  asked: { file: 'figures/bank-logistic-asked.svg', set: 'bank', model: 'logistic' },
};

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new Error(`${path}: ${error.message}`);
  }
}

function readSummary(folder, set) {
  const path = join(folder, `${set}.json`);
  if (!existsSync(path)) return null;
  const summary = readJson(path);
  if (summary.format !== 'tacit-experiment' || summary.version !== 1)
    throw new Error(`${path}: expected a summary of tacit experiment, version 1`);
  return summary;
}

/** What bench_literal --json wrote, a row per size: microseconds per person for all deltas together and for Opt. */
function readLiteral(folder) {
  const path = join(folder, 'literal.json');
  if (!existsSync(path)) return null;
  const { samples, results } = readJson(path);
  const rows = results.flatMap(({ set, model, people: measured, sizes }) =>
    sizes.map((at) => ({ set, model, measured, size: at.size, deltas: at.deltas.map(({ delta }) => delta),
      walk: at.pfr_us, walkError: at.pfr_us_error, opt: at.opt_us, optError: at.opt_us_error })));
  return { samples, rows };
}

/** What bench/figures_trees --json wrote: counts of people and of attributes asked. */
function readTrees(folder) {
  const path = join(folder, 'trees.json');
  if (!existsSync(path)) return null;
  const trees = readJson(path);
  if (trees.format !== 'tacit-figures-trees' || trees.version !== 1)
    throw new Error(`${path}: expected what bench/figures_trees --json writes, version 1`);
  return trees;
}

/** Everything in the folder: { sets: { bank: summary, … }, evaluation, literal, trees }.  At least one summary is
 * needed. */
export function readResults(folder) {
  const sets = {};
  for (const set of SETS) {
    const summary = readSummary(folder, set);
    if (summary) sets[set] = summary;
  }
  if (!Object.keys(sets).length)
    throw new Error(`${folder}: no summary, expected some of ${SETS.map((set) => `${set}.json`).join(', ')}`);
  const path = join(folder, 'evaluation.json');
  return { sets, evaluation: existsSync(path) ? readJson(path) : null, literal: readLiteral(folder),
    trees: readTrees(folder) };
}

export const find = (cell, method, delta) =>
  cell.methods.find((entry) => entry.method === method && (delta === undefined || entry.delta === delta));

/** Cells: { set, model, size, cell, base }, of the sets and models wanted that are there. */
export function cellsOf(results, { sets = SETS, models = MODELS, sizes = null } = {}) {
  const cells = [];
  for (const set of sets)
    for (const model of results.sets[set]?.models ?? [])
      for (const cell of models.includes(model.model) ? model.cells : [])
        if (!sizes || sizes.includes(cell.size))
          cells.push({ set, model: model.model, size: cell.size, cell, base: find(cell, 'baseline') });
  return cells;
}

/** The same with one place per delta: … and { delta, entry }. */
export function placesOf(results, method, { deltas = null, ...where } = {}) {
  return cellsOf(results, where).flatMap((place) =>
    place.cell.methods
      .filter((entry) => entry.method === method && (!deltas || deltas.some((wanted) => wanted === entry.delta)))
      .map((entry) => ({ ...place, delta: entry.delta, entry })));
}

/** Places in series along `key` ("size" or "delta"): lists of places that differ in it alone, ascending. */
export function seriesOf(places, key) {
  const series = new Map();
  for (const place of places) {
    const id = ['set', 'model', 'size', 'delta'].filter((name) => name !== key).map((name) => place[name]).join(' ');
    series.set(id, [...(series.get(id) ?? []), place]);
  }
  return [...series.values()].map((list) => list.sort((a, b) => a[key] - b[key]));
}

export const shareOf = (place) => place.entry.leakage.mean / place.size;
/** Accuracy given up: positive when the release is less accurate than asking for everything. */
export const lossOf = (place) => place.base.accuracy.mean - place.entry.accuracy.mean;
/** Share of people asked for at most k. */
export function shareUpTo(histogram, k) {
  const all = histogram.reduce((a, b) => a + b, 0);
  return histogram.slice(0, k + 1).reduce((a, b) => a + b, 0) / all;
}
export const sampled = ({ cell }) => (find(cell, 'opt')?.people ?? cell.people) < cell.people;
export const isSampled = (results) => cellsOf(results).some(sampled);

export const setsOf = (results) => SETS.filter((set) => results.sets[set]);
/** Data sets with their models: [{ set, model }]. */
export const pairsOf = (results) =>
  setsOf(results).flatMap((set) => results.sets[set].models.map(({ model }) => ({ set, model })));

/** Places at delta > 0 where somebody was stopped on the strength of it. */
export const failuresOf = (results) =>
  placesOf(results, 'tacit').filter((place) => place.delta > 0 && place.entry.failure?.stopped > 0);

/** Counts of the grid beside the proof, added up over cells. */
export function gridSums(results, selection = {}) {
  const grids = cellsOf(results, { models: ['mlp'], ...selection }).map((place) => place.cell.grid).filter(Boolean);
  const keys = ['people', 'stages', 'certified', 'refuted', 'undecided', 'missed', 'hasty', 'misled', 'points'];
  return Object.fromEntries(keys.map((key) => [key, grids.reduce((total, grid) => total + grid[key], 0)]));
}
