// docs/RESULTS.md, printed from the numbers in docs/results.
//
//   node web/tools/results.mjs docs/results >docs/RESULTS.md
//
// Needs nothing but node.  Every number on the page is computed here from the JSON files of the folder: nothing is
// typed by hand.
import { pathToFileURL } from 'node:url';
import { judgeClaims, WORDS } from './results/claims.mjs';
import { readResults } from './results/read.mjs';
import { caveats, cost, whatWasRun } from './results/run.mjs';
import { dataSets, failures, grid, inShort, ourRule } from './results/sections.mjs';
import { trees } from './results/trees.mjs';
import { bullets, heading, paragraph, table, PROVEN } from './results/text.mjs';

const OPENING = `<!-- Printed by web/tools/results.mjs from docs/results: change those, not this. -->
# Results
`;

const CONTENTS = [
  ['What was run', whatWasRun], ['In short', inShort], ['The paper’s claims, one by one', claimsSection],
  ['Our rule beside the paper’s', ourRule], ['Promised and observed failure', failures],
  ['Trees beside the paper’s two models', trees], ['The grid beside the proof', grid], ['What it cost', cost], ['Data set by data set', dataSets],
  ['What to keep in mind', caveats],
];

const anchor = (text) => text.toLowerCase().replace(/[^\p{L}\p{N} -]/gu, '').replace(/ /g, '-');

const verdict = (text) => (text === 'holds' ? text : `**${text}**`);

function shortVerdict(claim, method) {
  const { verdict: text, counts } = claim[method];
  if (text === 'holds in part') return `**in part** (${counts})`;
  return `${verdict(text)}${claim.remark && text === 'does not hold' ? `: ${claim.remark}` : ''}`;
}

function claimItem(claim) {
  const { paper, tacit } = claim;
  const lines = [`*Criterion:* ${claim.criterion}.`];
  if (paper.verdict === 'not tested') lines.push('Not tested: the numbers for it are missing.');
  else if (claim.ruleless) lines.push(`*Found:* ${paper.text}.`);
  else if (paper.text === tacit.text) lines.push(`*Found, both rules:* ${paper.text}.`);
  else lines.push(`*Paper’s rule:* ${paper.text}.`, `*Ours:* ${tacit.text}.`);
  const both = claim.ruleless || paper.verdict === tacit.verdict;
  const words = both ? verdict(paper.verdict)
    : `paper’s rule ${verdict(paper.verdict)}, ours ${verdict(tacit.verdict)}`;
  return [paragraph(`**${claim.number}. ${claim.title}** (${claim.at}): ${words}.`), bullets(lines)].join('\n');
}

function claimsSection(results, claims) {
  const rows = claims.map((claim) => [claim.number, claim.title, claim.at, shortVerdict(claim, 'paper'),
    claim.ruleless ? 'no rule in it' : shortVerdict(claim, 'tacit')]);
  return [heading(2, 'The paper’s claims, one by one'),
    paragraph(`Each empirical statement of the paper in our words, where it stands there (section, figure), and whether
      it holds here. A *cell* is one data set, model and |S| (and δ, where several are looked at). A claim holds if its
      criterion is met everywhere, and holds in part if somewhere. For networks at ${PROVEN} both rules are stopped by a
      proof here, where the paper has its grid. Words are read as numbers thus:`),
    bullets(WORDS),
    table(['', 'claim', 'where', 'paper’s rule', 'ours'], rows, [1, 2, 3, 4]),
    ...claims.map(claimItem)].join('\n');
}

/** The whole page. */
export function resultsPage(folder) {
  const results = readResults(folder);
  const claims = judgeClaims(results);
  const sections = CONTENTS.map(([title, write]) => [title, write(results, claims)]).filter(([, text]) => text);
  const contents = bullets(sections.map(([title]) => `[${title}](#${anchor(title)})`));
  return [OPENING, contents, ...sections.map(([, text]) => text)].join('\n');
}

function main([folder, ...rest]) {
  if (!folder || rest.length) throw new Error('usage: node web/tools/results.mjs FOLDER');
  process.stdout.write(resultsPage(folder));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
