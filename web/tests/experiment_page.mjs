// Opens the built page, filled with made-up summaries, in a real browser.
//
//   node tests/experiment_page.mjs PAGE.html [SUMMARY.json...]       with these summaries too
//
// Exits with 77 when there is no Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { PLACE } from '../tools/one-page.mjs';
import {
    assertAccessible,
    assertFits,
    assertPrints,
    assertReadable,
    csvOf,
    runCases,
    startBrowser,
    tableOf,
} from './browser.mjs';
import { FIXTURES, makeSummary } from './fixture.mjs';

const MOST_BYTES = 500_000;

const html = readFileSync(process.argv[2], 'utf8');
const summaries = {
    ...FIXTURES,
    ...Object.fromEntries(
        process.argv.slice(3).map((file) => [basename(dirname(file)), () => JSON.parse(readFileSync(file, 'utf8'))]),
    ),
};
const { fill, fillWith, open, close } = await startBrowser(html);

const text = (value) => (value == null ? '' : String(value));
const fixed = (value, digits) => (value == null ? '–' : value.toFixed(digits));

/** Rows that a figure must show, straight from the summary. */
function expectedRows(figure, model) {
    const each = (rows) => model.cells.flatMap((cell) => rows(cell).map((row) => [cell.size, ...row]));
    const histograms = (entries) =>
        entries.flatMap((entry) => {
            const people = entry.histogram.reduce((a, b) => a + b, 0);
            return entry.histogram.map((n, asked) => [entry.method, entry.delta, asked, n, n / people]);
        });
    const isRule = (entry) => entry.method === 'paper' || entry.method === 'tacit';
    switch (figure) {
        case 'accuracy':
        case 'leakage':
            return each((cell) =>
                cell.methods.map((entry) => [entry.method, entry.delta, entry[figure].mean, entry[figure].se]),
            );
        case 'opt':
            return each((cell) => histograms(cell.methods.filter((entry) => entry.method === 'opt')));
        case 'asked':
            return each((cell) => histograms(cell.methods.filter(isRule)));
        case 'gap':
            return each((cell) => [[cell.gap.paper, cell.gap.tacit, cell.gap.opt, cell.gap.closed]]);
        case 'failure':
            return each((cell) =>
                cell.methods
                    .filter(isRule)
                    .map(({ method, failure: f }) => [
                        method,
                        f.promised,
                        f.stopped,
                        f.failed,
                        f.observed,
                        f.low,
                        f.high,
                    ]),
            );
        case 'grid':
            return each(({ grid: g }) => [
                [g.people, g.stages, g.certified, g.refuted, g.undecided, g.missed, g.hasty, g.misled, g.points],
            ]);
    }
}

function figuresOf(summary) {
    const { methods } = summary.settings;
    const compared = ['opt', 'paper', 'tacit'].every((method) => methods.includes(method));
    return summary.models.flatMap(({ model }) =>
        [
            'accuracy',
            'leakage',
            methods.includes('opt') && 'opt',
            compared && 'gap',
            'asked',
            'failure',
            model === 'mlp' && 'grid',
        ]
            .filter(Boolean)
            .map((figure) => `${model}-${figure}`),
    );
}

// ---- cases

const cases = {
    'one file, small, with one place for data': async () => {
        assert.ok(Buffer.byteLength(html) < MOST_BYTES);
        assert.equal(html.split(PLACE).length, 2);
        assert.ok(html.includes(`<script type="application/json" id="data">${PLACE}</script>`));
        assert.doesNotMatch(html, /<(?:script|link|img)[^>]+(?:src|href)=/);
    },

    'says that there is no data': async () => {
        await open(fill('empty', PLACE), {}, async (page) => {
            assert.match(await page.innerText('main'), /holds no data/);
            await assertAccessible(page);
        });
        await open(fill('other', '{"format": "tacit-experiment", "version": 2}'), {}, async (page) =>
            assert.match(await page.innerText('main'), /version 2/),
        );
    },

    'writes names as text, whatever is in them': async () => {
        const summary = FIXTURES.two();
        summary.data.title = '</script><img src=x onerror=alert(1)>';
        await open(fillWith('markup', summary), {}, async (page) => {
            assert.ok((await page.innerText('h1')).startsWith(summary.data.title));
            assert.equal(await page.locator('img').count(), 0);
        });
    },

    'says the main result in words': async () => {
        const summary = FIXTURES.two();
        const { gap } = summary.models[0].cells[5];
        await open(fillWith('words', summary), {}, async (page) => {
            const words = (await page.innerText('.headline')).replace(/\u00a0/g, ' ');
            assert.ok(words.includes(`at |S| = 7, ${gap.tacit.toFixed(2)} of 7 attributes`), words);
            assert.ok(
                words.includes(
                    `the paper’s rule ${gap.paper.toFixed(2)}; no rule can need fewer than ${gap.opt.toFixed(2)}`,
                ),
                words,
            );
        });
    },

    'says so when the proven rule asks for more': async () => {
        const summary = makeSummary({ models: ['logistic'] });
        for (const cell of summary.models[0].cells) cell.gap.closed = -0.05;
        await open(fillWith('more', summary), {}, async (page) => {
            const words = await page.innerText('.headline');
            assert.match(words, /asked for more than the paper’s rule at every size/);
            assert.doesNotMatch(words, /closes/);
        });
    },

    'names trees, and says how they were made': async () => {
        await open(fillWith('trees', makeSummary({ models: ['trees'], reps: 2, sizes: [5] })), {}, async (page) => {
            const settings = (await page.innerText('.settings')).replace(/\s+/g, ' ');
            assert.match(await page.innerText('.headline'), /Boosted trees/);
            assert.match(settings, /Trees 50 Depth of trees as tacit fit has it Rate of trees as tacit fit has it/);
            assert.match(settings, /Opt of trees everybody/);
            assert.doesNotMatch(settings, /epochs|networks|Grid test/);
        });
    },

    'changes with the choices': async () => {
        await open(fillWith('choices', FIXTURES.two()), {}, async (page) => {
            for (const id of ['logistic-opt', 'logistic-asked', 'logistic-failure']) {
                const before = await page.locator(`#${id} svg`).innerHTML();
                await page.locator(`#${id} select`).selectOption('3');
                assert.match(await page.innerText(`#${id} h3`), /\|S\|\u00a0=\u00a03/);
                assert.notEqual(await page.locator(`#${id} svg`).innerHTML(), before);
                await assertReadable(page, id);
            }
            await page.locator('#logistic-leakage select').selectOption('log');
            await assertReadable(page, 'logistic-leakage');
        });
    },

    'prints without buttons and tables': async () => {
        await open(fillWith('print', FIXTURES.two()), { colorScheme: 'dark' }, async (page) => {
            await assertPrints(page, 'button:visible, select:visible, table:visible');
        });
    },
};

for (const [name, make] of Object.entries(summaries)) {
    const summary = make();
    const ids = figuresOf(summary);
    cases[`${name}: figures and their numbers`] = () =>
        open(fillWith(name, summary), { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
            assert.deepEqual((await page.$$eval('figure', (all) => all.map((one) => one.id))).sort(), [...ids].sort());
            for (const id of ids) {
                const [kind, figure] = id.split('-');
                const model = summary.models.find((one) => one.model === kind);
                const rows = expectedRows(figure, model);
                assert.ok((await page.locator(`#${id} svg[role=img]`).getAttribute('aria-label')).endsWith('.'));
                assert.deepEqual(
                    (await csvOf(page, id)).slice(1),
                    rows.map((row) => row.map(text)),
                    id,
                );
                const shown = (await tableOf(page, id)).slice(1);
                assert.equal(shown.length, rows.length);
                if (figure === 'accuracy' || figure === 'leakage')
                    assert.deepEqual(
                        shown.map((row) => row.slice(3)),
                        rows.map((row) => [fixed(row[3], 4), fixed(row[4], 5)]),
                        id,
                    );
            }
        });
    for (const [colorScheme, width] of [
        ['light', 1280],
        ['dark', 360],
    ])
        cases[`${name}: accessible, fits and is readable, ${colorScheme}, ${width} px`] = () =>
            open(fillWith(name, summary), { colorScheme, viewport: { width, height: 800 } }, async (page) => {
                await assertFits(page);
                for (const id of ids) await assertReadable(page, id);
                // All tables are made alike: one suffices, and axe takes its time over thousands of cells.
                await page
                    .locator('details')
                    .first()
                    .evaluate((node) => (node.open = true));
                await assertAccessible(page, { contrast: name === 'apart' }); // which has every colour that the others have
                await page.$$eval('details', (all) => all.forEach((node) => (node.open = true)));
                await assertFits(page);
            });
}

const code = await runCases(cases);
await close();
process.exit(code);
