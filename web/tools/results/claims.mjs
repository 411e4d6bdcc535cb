// The paper's empirical claims, in our words, and a test of each.
//
// A claim has parts; a part is true at `ok` of `of` places.  A claim holds when all parts are true everywhere, does not
// hold when none is true anywhere, and holds in part otherwise.  Words that are no numbers are read as WORDS says.
import { cellsOf, find, gridSums, lossOf, pairsOf, placesOf, seriesOf, shareOf, shareUpTo } from './read.mjs';
import { count, decimal, delta, fine, limit, located, percent, points } from './text.mjs';

const HALF = 0.5;
const NEAR = 0.01;
const MANY = 0.25;
const VAST = 0.8;

export const WORDS = [
  `much smaller, a small part, significantly less: at most ${percent(HALF)} of |S|, on average over people`,
  `comparable, marginal, minimal loss of accuracy, where the paper gives no number: at most ${limit(NEAR)}`,
  `many: at least ${percent(MANY)} of people; most: more than half; the vast majority: at least ${percent(VAST)}`,
  '“as little as”, “may”, “up to”: in at least one cell',
  'a percentage of accuracy: percentage points',
];

const most = (items, valueOf) => items.reduce((a, b) => (valueOf(b) > valueOf(a) ? b : a));
const least = (items, valueOf) => items.reduce((a, b) => (valueOf(b) < valueOf(a) ? b : a));

// ---------------------------------------------------------------- parts

/** True at every place where `good`; the text tells the count and both ends of the values. */
function everywhere(places, what, valueOf, good, write, noun = 'cells') {
  if (!places.length) return { ok: 0, of: 0, text: '' };
  const ok = places.filter((place) => good(valueOf(place))).length;
  const [low, high] = [least(places, valueOf), most(places, valueOf)];
  const ends = write(valueOf(low)) === write(valueOf(high))
    ? `always ${write(valueOf(low))}`
    : `${located(write(valueOf(low)), low, places)} to ${located(write(valueOf(high)), high, places)}`;
  return { ok, of: places.length, text: `${what} in ${ok} of ${places.length} ${noun}; ${ends}` };
}

/** True if it is so at one place at least; the text names the best. */
function somewhere(places, what, valueOf, good, write, end = 'smallest') {
  if (!places.length) return { ok: 0, of: 0, text: '' };
  const ok = places.filter((place) => good(valueOf(place))).length;
  const best = least(places, valueOf);
  return { ok: Math.min(ok, 1), of: 1,
    text: `${what} in ${ok} of ${places.length} cells; ${end} ${located(write(valueOf(best)), best, places)}` };
}

const atMostHalf = (places) =>
  everywhere(places, `at most ${percent(HALF)} of |S| asked`, shareOf, (x) => x <= HALF, fine);

const lossAtMost = (places, most_) =>
  everywhere(places, `accuracy lower by at most ${limit(most_)}`, lossOf, (x) => x <= most_, points);

const sameAccuracy = (places) => ({
  ok: places.filter((place) => place.entry.accuracy.mean === place.base.accuracy.mean).length,
  of: places.length,
});

/** Steps from each place of a series to the next: { from, to, …where of `to` }. */
const stepsOf = (places, key) =>
  seriesOf(places, key).flatMap((line) => line.slice(1).map((to, i) => ({ ...to, from: line[i], to })));

// ---------------------------------------------------------------- claims

function tenPercent(results, method) {
  const near = placesOf(results, method).filter((place) => lossOf(place) <= 0.001);
  const exact = placesOf(results, method, { deltas: [0] });
  const pairs = pairsOf(results).map(({ set, model }) => near.filter((p) => p.set === set && p.model === model));
  const reached = pairs.filter((one) => one.some((place) => shareOf(place) <= 0.1));
  const part = somewhere(near, 'at most 10\u00a0% of |S| asked', shareOf, (x) => x <= 0.1, fine);
  part.text += `; reached with ${reached.length} of ${pairs.length} pairs of data set and model`;
  const proof = exact.length ? least(exact, shareOf) : null;
  if (proof)
    part.text += `; with proof (${delta(0)}), where accuracy is the same exactly, the smallest is
      ${located(fine(shareOf(proof)), proof, exact)}`;
  return [part];
}

const smallestSets = (results) =>
  cellsOf(results, { sets: ['credit'], models: ['logistic'] })
    .map((place) => ({ ...place, entry: find(place.cell, 'opt') }))
    .filter((place) => place.entry);

function needNone(results) {
  return [everywhere(smallestSets(results), `at least ${percent(MANY)} of people need none`,
    (place) => shareUpTo(place.entry.histogram, 0), (x) => x >= MANY, fine, 'sizes')];
}

function needTwo(results) {
  return [everywhere(smallestSets(results), 'more than half need at most 2',
    (place) => shareUpTo(place.entry.histogram, 2), (x) => x > 0.5, fine, 'sizes')];
}

function peopleDiffer(results, method) {
  const kinds = (place) => place.entry.histogram.filter((n) => n > 0).length;
  return [everywhere(placesOf(results, method, { deltas: [0] }), 'people are asked for different numbers',
    kinds, (n) => n > 1, String)];
}

function neverAll(results, method) {
  const places = placesOf(results, method, { sets: ['bank'], models: ['logistic'], sizes: [7] });
  const all = (place) => 1 - shareUpTo(place.entry.histogram, place.size - 1);
  return [
    everywhere(places, 'nobody is asked for all 7', all, (x) => x === 0, fine, 'δ'),
    everywhere(places, `at least ${percent(VAST)} of people are asked for 3 or fewer`,
      (place) => shareUpTo(place.entry.histogram, 3), (x) => x >= VAST, fine, 'δ'),
  ];
}

function atMostOne(results, method) {
  const places = placesOf(results, method, { sets: ['bank'], models: ['logistic'], sizes: [7] })
    .filter((place) => place.delta > 0);
  return [everywhere(places, `at least ${percent(VAST)} of people are asked for 0 or 1`,
    (place) => shareUpTo(place.entry.histogram, 1), (x) => x >= VAST, fine, 'δ')];
}

const half = (selection) => (results, method) => [atMostHalf(placesOf(results, method, selection))];

function equalAccuracy(results, method) {
  const part = sameAccuracy(placesOf(results, method, { models: ['logistic'], deltas: [0] }));
  return [{ ...part, text: `equal to the last digit in ${part.ok} of ${part.of} cells` }];
}

function fewerWithDelta(results, method) {
  const steps = stepsOf(placesOf(results, method), 'delta');
  const change = (step) => step.to.entry.leakage.mean - step.from.entry.leakage.mean;
  return [everywhere(steps, 'not more asked at the next larger δ', change, (x) => x <= 0, (x) => decimal(x, 3),
    'steps')];
}

function accuracyFalls(results, method) {
  const steps = stepsOf(placesOf(results, method, { models: ['logistic'] }), 'delta');
  if (!steps.length) return [{ ok: 0, of: 0, text: '' }];
  const change = (step) => step.to.entry.accuracy.mean - step.from.entry.accuracy.mean;
  const down = steps.filter((step) => change(step) < 0).length;
  const up = steps.filter((step) => change(step) > 0).length;
  const [low, high] = [least(steps, change), most(steps, change)];
  return [{
    ok: Number(2 * down > steps.length),
    of: 1,
    text: `of ${steps.length} steps to the next larger δ ${down} lower the accuracy, ${up} raise it,
      ${steps.length - down - up} leave it; ${located(points(change(low)), low, steps)} to
      ${located(points(change(high)), high, steps)}`,
  }];
}

function hidingHelps(results, method) {
  const places = placesOf(results, method, { sets: ['credit'], models: ['logistic'] })
    .filter((place) => place.delta > 0);
  return [somewhere(places, 'more accurate than with everything asked', lossOf, (x) => x < 0, (x) => points(-x),
    'best change')];
}

function networkLoses(results, method) {
  const places = placesOf(results, method, { models: ['mlp'], deltas: [0] });
  const { ok, of } = sameAccuracy(places);
  const { people, misled } = gridSums(results);
  const grid = people
    ? `; stopped by the grid instead, ${count(misled)} of ${count(people)} people (${fine(misled / people)}) would have
      got another label`
    : '';
  return [{
    ok: of && ok < of ? 1 : 0,
    of: of ? 1 : 0,
    text: `with the exact test in place of the grid, accuracy is equal to the last digit in ${ok} of ${of}
      cells${grid}`,
  }];
}

function networkZero(results, method) {
  const places = placesOf(results, method, { sets: ['insurance', 'credit'], models: ['mlp'], deltas: [0] });
  return [
    everywhere(places, 'less than half of |S| asked', shareOf, (x) => x < HALF, fine),
    somewhere(places, 'at most 10\u00a0% asked', shareOf, (x) => x <= 0.1, fine),
  ];
}

function networkTwentieth(results, method) {
  const places = placesOf(results, method, { sets: ['insurance', 'credit'], models: ['mlp'], deltas: [0.05] });
  const difference = (place) => Math.abs(lossOf(place));
  const fraction = places.filter((place) => difference(place) <= 0.005).length;
  const near = everywhere(places, `accuracy within ${limit(0.00005)}`, difference, (x) => x <= 0.00005, points);
  if (places.length) near.text += ` (read as a fraction, ${limit(0.005)}: ${fraction} of ${places.length})`;
  return [everywhere(places, 'at most 5\u00a0% of |S| asked', shareOf, (x) => x <= 0.05, fine), near];
}

function growsSlower(results, method) {
  const places = placesOf(results, method, { sets: ['bank', 'adult'], models: ['logistic'] });
  const steps = stepsOf(places, 'size');
  const slope = (step) => (step.to.entry.leakage.mean - step.from.entry.leakage.mean) / (step.to.size - step.from.size);
  const part = everywhere(steps, 'less than one more asked for each attribute more in S', slope, (x) => x < 1,
    (x) => decimal(x, 3), 'steps');
  const lines = seriesOf(places, 'size').filter((line) => line.length > 1);
  const falls = lines.filter((line) => shareOf(line[line.length - 1]) <= shareOf(line[0])).length;
  if (lines.length)
    part.text += `; the share of |S| is no larger at the largest |S| than at the smallest in ${falls} of ${lines.length}
      series`;
  return [part];
}

function tenth(results, method) {
  const places = placesOf(results, method, { sets: ['bank', 'adult'], models: ['logistic'], deltas: [0.1] });
  const loss = everywhere(places, `accuracy lower by at most ${limit(0.00002)}`, lossOf, (x) => x <= 0.00002, points);
  const fraction = places.filter((place) => lossOf(place) <= 0.002).length;
  if (places.length) loss.text += ` (read as a fraction, ${limit(0.002)}: ${fraction} of ${places.length})`;
  return [loss, somewhere(places, 'at most 5\u00a0% of |S| asked', shareOf, (x) => x <= 0.05, fine)];
}

const halfAndNear = (selection) => (results, method) => {
  const places = placesOf(results, method, selection);
  return [atMostHalf(places), lossAtMost(places, NEAR)];
};

function networkTwo(results, method) {
  const places = placesOf(results, method, { sets: ['bank', 'adult'], models: ['mlp'] });
  const difference = (place) => Math.abs(lossOf(place));
  return [everywhere(places, `accuracy within ${limit(0.02)}`, difference, (x) => x <= 0.02, points)];
}

function optIsLeast(results, method) {
  const places = cellsOf(results).filter((place) => place.cell.gap);
  const above = (place) => place.cell.gap[method] - place.cell.gap.opt;
  return [everywhere(places, 'Opt asks for no more', above, (x) => x >= 0, (x) => `${decimal(x, 3)} above`)];
}

const CLAIMS = [
  {
    title: 'People may give as little as 10\u00a0% of their information at the accuracy of the full model',
    at: 'Abstract, 1, 8',
    criterion: 'some cell asks for at most 10\u00a0% of |S| with accuracy at most 0.1\u00a0points lower',
    test: tenPercent,
  },
  {
    title: 'How much must be revealed differs between people',
    at: '3, 4',
    criterion: 'at δ\u00a0=\u00a00, at least two different numbers in every cell',
    test: peopleDiffer,
  },
  {
    title: 'Credit, logistic: many people need reveal nothing for certainty',
    at: '4, Fig. 1 right',
    criterion: `smallest core set (Opt) empty for at least ${percent(MANY)} of people, at every |S|
      (the paper does not say which |S| it drew)`,
    test: needNone,
    ruleless: true,
  },
  {
    title: 'Credit, logistic: most people need at most two attributes for certainty',
    at: '4, Fig. 1 right',
    criterion: 'smallest core set (Opt) of size 2 or less for more than half, at every |S|',
    test: needTwo,
    ruleless: true,
  },
  {
    title: 'Bank, logistic, |S|\u00a0=\u00a07: everybody’s core set is much smaller than S',
    at: '6.3, Fig. 2',
    criterion: `nobody is asked for all 7, and at least ${percent(VAST)} of people for 3 or fewer, at every δ`,
    test: neverAll,
  },
  {
    title: 'Bank, logistic, |S|\u00a0=\u00a07, δ\u00a0>\u00a00: the vast majority give fewer than two',
    at: '6.3, Fig. 2',
    criterion: `at least ${percent(VAST)} of people, at every δ\u00a0>\u00a00`,
    test: atMostOne,
  },
  {
    title: 'Logistic, δ\u00a0=\u00a00: core sets much smaller than S on all data sets',
    at: '6.3, Fig. 3',
    criterion: 'at most half of |S| in every cell',
    test: half({ models: ['logistic'], deltas: [0] }),
  },
  {
    title: 'Logistic, δ\u00a0=\u00a00: exactly the accuracy of the full model',
    at: '2, 6.3, Fig. 3, 8',
    criterion: 'mean accuracy equal to the last digit in every cell',
    test: equalAccuracy,
  },
  {
    title: 'The larger δ, the less is revealed',
    at: '4, 6.3, 7.3',
    criterion: 'leakage not larger at the next larger δ, in every cell of every data set and model',
    test: fewerWithDelta,
  },
  {
    title: 'The larger δ, the lower the accuracy, generally (logistic)',
    at: '4, 6.3, Fig. 3',
    criterion: 'more than half of all steps to the next larger δ lower the mean accuracy',
    test: accuracyFalls,
  },
  {
    title: 'Not revealing may even raise accuracy (credit, logistic)',
    at: '6.3, Fig. 3 right',
    criterion: 'some cell at δ\u00a0>\u00a00 has a higher mean accuracy than the full model',
    test: hidingHelps,
  },
  {
    title: 'The loss of accuracy is marginal (logistic)',
    at: '6.3, Fig. 3',
    criterion: `at most ${limit(NEAR)} in every cell, at every δ that was run`,
    test: (results, method) => [lossAtMost(placesOf(results, method, { models: ['logistic'] }), NEAR)],
  },
  {
    title: 'Networks, δ\u00a0=\u00a00: the accuracy of the full model cannot be kept exactly',
    at: '7.3, Fig. 4',
    criterion: 'accuracy differs in some cell',
    test: networkLoses,
    remark: 'a proof keeps it',
  },
  {
    title: 'Networks, δ\u00a0=\u00a00: less than half is revealed, up to 90\u00a0% less',
    at: '7.3, Fig. 4',
    criterion: 'insurance and credit: below half of |S| in every cell, and at most 10\u00a0% in some',
    test: networkZero,
  },
  {
    title: 'Networks, δ\u00a0=\u00a00.05: 5\u00a0% are revealed, accuracy differs by at most 0.005\u00a0%',
    at: '7.3, Fig. 4',
    criterion: 'insurance and credit: both in every cell',
    test: networkTwentieth,
  },
  {
    title: 'Leakage grows more slowly than |S| (bank and adult, logistic)',
    at: 'D.1, Fig. 5',
    criterion: 'one attribute more in S adds less than one to the mean asked, at every step and δ',
    test: growsSlower,
  },
  {
    title: 'Bank and adult, logistic, δ\u00a0=\u00a00: at most half is revealed',
    at: 'D.1, Fig. 5',
    criterion: 'at most half of |S| in every cell',
    test: half({ sets: ['bank', 'adult'], models: ['logistic'], deltas: [0] }),
  },
  {
    title: `Bank and adult, logistic, δ\u00a0=\u00a00.1: accuracy falls by at most 0.002\u00a0%, leakage to as low as
      5\u00a0%`,
    at: 'D.1, Fig. 5',
    criterion: 'the loss in every cell, the leakage in some',
    test: tenth,
  },
  {
    title: 'Bank and adult, networks: much less is revealed than all, at every δ',
    at: 'D.2, Fig. 6',
    criterion: 'at most half of |S| in every cell',
    test: half({ sets: ['bank', 'adult'], models: ['mlp'] }),
  },
  {
    title: 'Bank and adult, networks: accuracy differs by at most 2\u00a0%',
    at: 'D.2, Fig. 6',
    criterion: 'in every cell, at every δ that was run',
    test: networkTwo,
  },
  {
    title: 'Customer and fetal health, logistic: leakage clearly reduced at comparable accuracy',
    at: 'D.3, Fig. 7',
    criterion: `at most half of |S|, accuracy lower by at most ${limit(NEAR)}, in every cell and at every δ that was
      run`,
    test: halfAndNear({ sets: ['customer', 'fetal'], models: ['logistic'] }),
  },
  {
    title: `Customer and fetal health, networks, δ\u00a0=\u00a00: significantly less leakage at a minimal loss of
      accuracy`,
    at: 'D.3, Fig. 8',
    criterion: `at most half of |S|, accuracy lower by at most ${limit(NEAR)}, in every cell`,
    test: halfAndNear({ sets: ['customer', 'fetal'], models: ['mlp'], deltas: [0] }),
  },
  {
    title: 'Opt is a lower bound on what is revealed at δ\u00a0=\u00a00',
    at: 'D, baseline models',
    criterion: 'mean of Opt not larger in any cell, over the people for whom Opt was found',
    test: optIsLeast,
  },
];

function verdictOf(parts) {
  const tested = parts.filter((part) => part.of > 0);
  if (!tested.length) return 'not tested';
  if (tested.every((part) => part.ok === part.of)) return 'holds';
  return tested.every((part) => part.ok === 0) ? 'does not hold' : 'holds in part';
}

/** Each claim with its number, and with `paper` and `tacit`, what was found by each rule: { verdict, counts, text }. */
export function judgeClaims(results) {
  return CLAIMS.map((claim, i) => {
    const judged = { ...claim, number: i + 1 };
    for (const method of ['paper', 'tacit']) {
      const parts = claim.test(results, method);
      judged[method] = {
        verdict: verdictOf(parts),
        counts: parts.filter((part) => part.of).map((part) => `${part.ok} of ${part.of}`).join(', '),
        text: parts.filter((part) => part.text).map(({ text }) => text[0].toUpperCase() + text.slice(1)).join('. '),
      };
    }
    return judged;
  });
}

