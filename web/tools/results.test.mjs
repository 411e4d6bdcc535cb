// Is docs/RESULTS.md what web/tools/results.mjs prints from docs/results, and does the page say so when numbers change?
//
//   node web/tools/results.test.mjs
//
// Exit status 77: the generator is right about made-up numbers, but there are no results to compare with.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeSummary } from '../tests/fixture.mjs';
import { SETS } from './results/read.mjs';
import { resultsPage } from './results.mjs';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs');

/** The page of made-up summaries, six data sets, after `change` had its way with them. */
function pageOf(change = () => {}, extra = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tacit-results-'));
  try {
    const sets = Object.fromEntries(SETS.map((set) => [set, makeSummary()]));
    change(sets);
    for (const [name, json] of Object.entries({ ...sets, ...extra }))
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(json));
    return resultsPage(folder).replace(/\s+/g, ' ');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const entryOf = (summary, model, size, method, delta) =>
  summary.models.find((one) => one.model === model).cells.find((cell) => cell.size === size)
    .methods.find((entry) => entry.method === method && entry.delta === delta);

const says = (page, text) => assert.ok(text.test(page), `the page does not say ${text}`);
const saysNot = (page, text) => assert.ok(!text.test(page), `the page says ${text}`);

function checkGenerator() {
  const page = pageOf();
  saysNot(page, /NaN|undefined|null|Infinity|\[object/);
  says(page, /nothing is lost/);
  says(page, /asks for fewer attributes than the paper’s in 72, for equally many in 0, and for more in 0\./);
  says(page, /equal to the last digit in 36 of 36 cells/i);
  says(page, /Opt was found for a sample/);
  saysNot(page, /What it cost/);

  const worse = pageOf(({ adult }) => { entryOf(adult, 'mlp', 4, 'tacit', 0).leakage.mean = 3.9; });
  says(worse, /and for more in 1\. More: adult, network, \|S\| = 4 \(3\.9000 against/);

  const wrong = pageOf(({ bank }) => {
    entryOf(bank, 'logistic', 3, 'tacit', 0).accuracy = { mean: 0.89, se: 0.001 };
  });
  says(wrong, /equal to the last digit in 35 of 36 cells/i);
  saysNot(wrong, /nothing is lost/);

  const kept = pageOf((sets) => {
    for (const { models } of Object.values(sets))
      for (const cell of models.flatMap((model) => model.cells))
        for (const { failure } of cell.methods) if (failure) failure.low = failure.observed = 0;
  });
  says(kept, /observed share exceeds δ in 0 of/);

  const whole = pageOf(({ bank }) => {
    for (const cell of bank.models.flatMap((model) => model.cells))
      cell.methods.find((entry) => entry.method === 'opt').people = cell.people;
  });
  const notes = (text) => text.match(/Opt was found for a sample/g).length;
  assert.equal(notes(whole), notes(page) - 1);

  const literal = { samples: 1000, results: [{ set: 'bank', model: 'logistic', people: 9,
    sizes: [{ size: 7, pfr_us: 1e6, pfr_us_error: 1e4, deltas: [{ delta: 0 }], opt_us: 0, opt_us_error: 0 }] }] };
  const evaluation = { command: 'tools/evaluate.sh DATA OUT', cores: 2, threads: 2, seconds: { bank: 60, adult: 60 } };
  // 1,356,300 people at a second each on two cores, against two minutes.
  const cost = pageOf(undefined, { literal, evaluation });
  says(cost, /Together 15\.7 days of one core \(± 1 %\), or 7\.8 days on 2: 5,700 times the 2 min 0 s/);
}

/** Trees are told of where there are figures of them, with the numbers as they are. */
function checkTrees() {
  const row = (set, ours) => ({ set, model: '50x3', trees: 50, leaves: 400, people: 200, paper: 600, ours, opt: 400,
    inexact: 0, checked: 400, agree: 399, deltas: [{ delta: 0.1, asked: 100, stopped: 150, failed: 30 }] });
  const figures = { format: 'tacit-figures-trees', version: 1, size: 7, draws: 2, people: 100,
    results: [row('bank', 450), row('adult', 500), { ...row('fetal', 400), trees: 0, model: 'network' }] };
  const page = pageOf(undefined, { trees: figures });
  saysNot(page, /NaN|undefined|null|Infinity|\[object/);
  says(page, /\| Bank \| trees, 50 × 3 \| 3\.000 \| 2\.250 \| 2\.000 \| 75 % \|/);
  says(page, /Trees: gap closed 63 % in the median, 50 % to 75 %; 798 of 800 decisions/);
  says(page, /\| Adult, 50 × 3 \| 0\.50; 20\.00 % \|/);
  says(page, /above δ in 2 of 2 cells\./);
  figures.results[1].deltas = [];
  says(pageOf(undefined, { trees: figures }), /above δ in 1 of 1 cells, without those told in .*: Adult, 50 × 3\./);
  saysNot(page, /trees, network/);
  saysNot(pageOf(), /Trees beside/);
  assert.throws(() => pageOf(undefined, { trees: { format: 'another' } }), /figures_trees/);
}

function checkPage() {
  const path = join(docs, 'RESULTS.md');
  const [page, printed] = [readFileSync(path, 'utf8'), resultsPage(join(docs, 'results'))];
  const [have, want] = [page.split('\n'), printed.split('\n')];
  const at = want.findIndex((line, i) => line !== have[i]);
  const line = at < 0 ? want.length : at + 1;
  assert.ok(page === printed, `docs/RESULTS.md:${line} is not what web/tools/results.mjs prints from docs/results`);
  const targets = [...page.matchAll(/\]\(([^)#][^)]*)\)|<img src="([^"]+)"/g)].map(([, link, image]) => link ?? image);
  for (const target of targets)
    assert.ok(existsSync(join(docs, target)), `docs/RESULTS.md points to ${target}, which is not there`);
}

checkGenerator();
checkTrees();
const missing = ['RESULTS.md', ...SETS.map((set) => `results/${set}.json`)]
  .filter((name) => !existsSync(join(docs, name)));
if (missing.length) {
  console.log(`skipped: nothing to compare with, missing in docs: ${missing.join(', ')}`);
  process.exitCode = 77;
} else {
  checkPage();
  console.log('docs/RESULTS.md is what the numbers say');
}
