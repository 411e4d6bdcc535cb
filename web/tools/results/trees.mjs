// The section of docs/RESULTS.md about trees: what bench/figures_trees --json wrote, beside the paper's two models.
import { cellsOf, MODEL_NAMES, SETS, SET_NAMES } from './read.mjs';
import { code, count, decimal, delta, heading, paragraph, percent, size, table, ABOVE, PROVEN } from './text.mjs';

const shape = (model) => model.replace('x', '\u00a0×\u00a0');
const nameOf = ({ set, model }) => `${SET_NAMES[set]}, ${shape(model)}`;
const isTrees = ({ trees }) => trees > 0;
const closed = ({ paper, ours, opt }) => (paper > opt ? (paper - ours) / (paper - opt) : null);

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const at = (sorted.length - 1) / 2;
  return (sorted[Math.floor(at)] + sorted[Math.ceil(at)]) / 2;
}

/** Means of the paper's two models at the same size, where the experiment has them. */
function others(results, set, at) {
  return cellsOf(results, { sets: [set], sizes: [at] }).filter(({ cell }) => cell.gap)
    .map(({ model, cell: { gap } }) => [SET_NAMES[set], MODEL_NAMES[model],
      ...[gap.paper, gap.tacit, gap.opt].map((x) => decimal(x, 3)), percent(gap.closed)]);
}

function askedRows(results, { size: at, results: rows }) {
  const sets = SETS.filter((set) => rows.some((row) => row.set === set && isTrees(row)));
  return sets.flatMap((set) => [...others(results, set, at),
    ...rows.filter((row) => row.set === set && isTrees(row)).map((row) => [SET_NAMES[set], `trees, ${shape(row.model)}`,
      ...[row.paper, row.ours, row.opt].map((x) => decimal(x / row.people, 3)), percent(closed(row))])]);
}

function promiseRows({ results: rows }) {
  return rows.filter((row) => isTrees(row) && row.deltas.length).map((row) => [nameOf(row),
    ...row.deltas.map(({ asked, stopped, failed }) =>
      `${decimal(asked / row.people, 2)}; ${stopped ? percent(failed / stopped, 2) : '–'}`)]);
}

/** Trees, where docs/results has them. */
export function trees(results) {
  const found = results.trees;
  const rows = found?.results.filter(isTrees) ?? [];
  if (!rows.length) return '';
  const shares = rows.map(closed).filter((x) => x != null);
  const [agree, checked] = ['agree', 'checked'].map((key) => rows.reduce((sum, row) => sum + row[key], 0));
  const promises = rows.flatMap((row) => row.deltas);
  const above = promises.filter(({ delta: x, failed, stopped }) => failed > x * stopped);
  const elsewhere = rows.filter((row) => !row.deltas.length).map(nameOf);
  const rest = elsewhere.length ? `, without those told in [TREES.md](TREES.md): ${elsewhere.join('; ')}` : '';
  return [heading(2, 'Trees beside the paper’s two models'),
    paragraph(`Boosted trees are not in the paper. XGBoost trained them on 70\u00a0% of the rows (rounds × depth; with more
      than two classes a round has a tree for each class), \`tacit import\` brought them in. ${found.draws} draws of S,
      ${size(found.size)}, ${count(found.people)} people of the other 30\u00a0% each. Attributes asked on average at
      ${PROVEN}; the paper’s rule and ours are stopped by the same proof. Lines of logistic regression and network are those
      of the evaluation above, about its own splits and draws.`),
    table(['', 'model', 'paper’s rule', 'ours', 'Opt', 'gap closed'], askedRows(results, found), [1]),
    paragraph(`Trees: gap closed ${percent(median(shares))} in the median, ${percent(Math.min(...shares))} to
      ${percent(Math.max(...shares))}; ${count(agree)} of ${count(checked)} decisions are those that all values would have
      given.`),
    paragraph(`At ${ABOVE}, by draws from the Gaussian: attributes asked on average, and the share of the people stopped as
      likely who got another label than all values would have given.`),
    table(['trees', ...rows[0].deltas.map((one) => delta(one.delta))], promiseRows(found)),
    paragraph(`The observed share is above δ in ${above.length} of ${promises.length} cells${rest}.`),
    code(['/usr/bin/python3 bench/trees_models.py DATA FOLDER --shapes 50x3,100x4,300x6',
      `build/release/bench/figures_trees FOLDER --draws ${found.draws} --people ${found.people} --json docs/results/trees.json`]),
  ].join('\n');
}
