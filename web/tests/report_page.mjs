// Opens reports made in C in a real browser: of made-up audits, and as tacit writes them.
//
//   node tests/report_page.mjs TACIT PAGE_OF       the program; a program that makes a page from a document
//
// Without JavaScript unless a case is about what a script adds.  Exits with 77 when there is no Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AUDITS, NECESSITY, makeAudit } from './audit_fixture.mjs';
import { PHONE, WIDE, assertAccessible, assertFits, assertPrints, runCases, splitCsv, startBrowser } from './browser.mjs';

const MOST_BYTES = 1_000_000;
const [tacit, pageOf] = process.argv.slice(2, 4).map((path) => resolve(path));
const { folder, open, close } = await startBrowser();

let made = 0;
/** The address of a document's page. */
function pageFor(data, lang = 'en') {
    const name = join(folder, `page${made++}`);
    writeFileSync(`${name}.json`, JSON.stringify(data));
    const html = execFileSync(pageOf, [`${name}.json`, lang], { maxBuffer: 1 << 26 });
    assert.ok(html.length < MOST_BYTES, `${html.length} bytes`);
    writeFileSync(`${name}.html`, html);
    return pathToFileURL(`${name}.html`).href;
}

const STILL = { javaScriptEnabled: false };
const plain = async (page, place) => (await page.innerText(place)).replace(/[\u00a0\u202f]/g, ' ');

/** Texts of a drawing must not lie on each other, nor leave the page; neither must words of the page. */
async function assertReadable(page) {
    const faults = await page.evaluate(() => {
        const boxes = (nodes) =>
            [...nodes]
                .filter((node) => node.textContent.trim() && node.getClientRects().length)
                .map((node) => ({ words: node.textContent, box: node.getBoundingClientRect() }));
        const over = (a, b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
        return [...document.querySelectorAll('.chart')].flatMap((chart) => {
            const texts = boxes(chart.querySelectorAll('svg text, .name, .badge, .key > span, .mini > b, .axis-title'));
            const edge = innerWidth;
            const outside = texts.filter(({ box }) => box.left < -0.5 || box.right > edge + 0.5);
            const hits = texts.flatMap((a, i) =>
                texts
                    .slice(i + 1)
                    .filter((b) => over(a.box, b.box))
                    .map((b) => `“${a.words}” on “${b.words}”`),
            );
            return [...outside.map(({ words }) => `“${words}” outside`), ...hits].map(
                (fault) => `${chart.closest('figure').id}: ${fault}`,
            );
        });
    });
    assert.deepEqual(faults, []);
}

/** In every one of these ways, [theme, size]; one visit with a script and one without, however many they are. */
async function assertLooks(url, ways, { contrast = true } = {}) {
    const visit = (options, look) =>
        open(url, { ...options, colorScheme: ways[0][0], viewport: ways[0][1] }, async (page) => {
            for (const [colorScheme, viewport] of ways) {
                await page.emulateMedia({ colorScheme });
                await page.setViewportSize(viewport);
                await assertFits(page);
                await look(page, viewport === ways[0][1]);
            }
        });
    await visit(STILL, assertReadable);
    // What a page is made of depends neither on its colours nor on its width: one way shows it.
    await visit({}, async (page, isFirst) => {
        if (isFirst) await assertAccessible(page, { contrast });
        else if (contrast) await assertAccessible(page, { contrast: 'only' });
    });
}

const BOTH = [
    ['light', WIDE],
    ['dark', PHONE],
];

/** Every number of a table that stands for one of the document is one of the document. */
async function assertNumbers(url, data) {
    const known = new Set();
    const walk = (value) => {
        if (typeof value === 'number') known.add(String(value));
        else if (value && typeof value === 'object') Object.values(value).forEach(walk);
    };
    walk(data);
    known.add(String(data.sensitive?.length)); // everything asked
    await open(url, STILL, async (page) => {
        const exact = await page.$$eval('td[data-v]', (cells) => cells.map((cell) => [cell.dataset.v, cell.textContent]));
        assert.ok(exact.length > 20);
        for (const [value, shown] of exact) assert.ok(known.has(String(Number(value))), `${value} (${shown})`);
    });
}

// Runs in the page: words of elements that stand on more than one line.
function brokenWords(selector) {
    const broken = [];
    for (const element of document.querySelectorAll(selector)) {
        const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (texts.nextNode())
            for (const word of texts.currentNode.data.matchAll(/[^\s-]+/g)) {
                const range = document.createRange();
                range.setStart(texts.currentNode, word.index);
                range.setEnd(texts.currentNode, word.index + word[0].length);
                if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) broken.push(word[0]);
            }
    }
    return broken;
}

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };

const cases = {
    'every made-up audit fits and reads well, light and dark, wide and on a phone': async () => {
        // Between them these have every section, every state of a promise and every warning: all the colours there are.
        const colourful = ['many', 'useless', 'everything'];
        for (const [name, make] of Object.entries(AUDITS))
            for (const lang of ['many', 'everything'].includes(name) ? ['en', 'de'] : ['en'])
                await assertLooks(pageFor(make(), lang), BOTH, {
                    contrast: lang === 'en' && colourful.includes(name),
                }).catch((error) => {
                    error.message = `${name} ${lang}: ${error.message}`;
                    throw error;
                });
    },

    'a page of necessity fits and reads well': async () => {
        for (const lang of ['en', 'de']) await assertLooks(pageFor(NECESSITY, lang), BOTH, { contrast: lang === 'en' });
        await assertNumbers(pageFor(NECESSITY), NECESSITY);
    },

    'every number is one of the document': async () => {
        for (const make of Object.values(AUDITS)) {
            const audit = make();
            if (audit.sensitive.length) await assertNumbers(pageFor(audit), audit);
        }
    },

    'figures are there without a script': async () => {
        await open(pageFor(AUDITS.everything()), STILL, async (page) => {
            const ids = await page.$$eval('figure', (all) => all.map((one) => [one.id, one.querySelectorAll('svg').length]));
            assert.deepEqual(
                ids.map(([id]) => id).sort(),
                [
                    ...['asked', 'attributes', 'classes', 'decisions', 'each', 'failure', 'frontier', 'frontier-asked'],
                    ...['groups', 'groups-2', 'leakage', 'rates', 'rates-2'],
                ].sort(),
            );
            for (const [id, n] of ids) assert.ok(n > 0, id);
            assert.equal(await page.locator('button').count(), 0); // nothing that would do nothing
        });
    },

    'writes names as text, whatever is in them, and runs nothing of them': async () => {
        const evil = '</script><img src=x onerror=alert(1)>"\'><svg onload=alert(2)>';
        const audit = makeAudit({ names: [evil, 'b'], extra: { about: { purpose: evil, controller: evil } } });
        audit.data.files = [evil];
        audit.groups.list[0].name = evil;
        audit.label.classes[0].name = evil;
        await open(pageFor(audit), {}, async (page) => {
            assert.ok((await page.innerText('h1')).endsWith(evil));
            assert.equal(await page.locator('img').count(), 0);
            assert.equal(await page.locator('svg[onload]').count(), 0);
            assert.equal(JSON.parse(await page.textContent('#data')).data.files[0], evil);
        });
    },

    'says the promise as it is': async () => {
        const audit = AUDITS.usual();
        Object.assign(audit.results[1].failure, {
            ...{ people: 282, failed: 22, observed: 22 / 282, low: 0.0495, high: 0.116 },
            ...{ state: 'not shown', more_people: null },
        });
        await open(pageFor(audit), STILL, async (page) => {
            const words = await plain(page, '#promise');
            assert.match(words, /At δ = 0\.05 the promise is not shown to be kept: another decision for 22 of 282 people \(7\.8 %\)/);
            assert.doesNotMatch(words, /holds at every/);
        });
        await open(pageFor(AUDITS.many()), STILL, async (page) => {
            assert.match(await plain(page, '#promise'), /At δ = 0\.3 the promise is broken/);
            assert.match(await plain(page, '#dpia'), /The promise is broken at δ = [^:]*0\.3/);
        });
    },

    'asked, indispensable and spare are three things': async () => {
        await open(pageFor(AUDITS.usual()), STILL, async (page) => {
            const words = await plain(page, '#which');
            for (const part of ['Asked:', 'Indispensable:', 'Spare:', 'stay proven', 'become open'])
                assert.ok(words.toLowerCase().includes(part.toLowerCase()), part);
            assert.doesNotMatch(await plain(page, 'main'), /never needed|needed by|could not be decided about without/);
        });
    },

    'points out a model that is no better than the majority': async () => {
        await open(pageFor(AUDITS.useless()), STILL, async (page) => {
            assert.match(await plain(page, '.warning'), /right no more often than always deciding “paid back”/);
            assert.match(await plain(page, '#dpia'), /no better than always deciding/);
        });
        await open(pageFor(AUDITS.usual()), STILL, async (page) => assert.equal(await page.locator('.warning').count(), 0));
    },

    'says what the model was trained on, without if': async () => {
        for (const [data, words] of [
            [{ part: 'held_out', trained_on: 'no', trained_rows: 0 }, /none of them was used to train it/],
            [{ part: 'held_out', trained_on: 'unknown', trained_rows: null }, /not known what the model was trained on/],
            [{ part: 'all', trained_on: 'yes', trained_rows: 700 }, /700 of the 1,821 rows are rows the model was trained on/],
            [{ part: 'train', trained_on: 'yes', trained_rows: 1821 }, /These are the rows the model was trained on/],
            [{ part: 'all', trained_on: 'no', trained_rows: 0 }, /not the training file, by its SHA-256/],
        ]) {
            const audit = makeAudit({ extra: { data: { files: ['a.csv'], sha256: [], ...data } } });
            await open(pageFor(audit), STILL, async (page) => {
                assert.match(await plain(page, '#short'), words);
                assert.match(await plain(page, '#provenance'), words);
            });
        }
    },

    'is German where German is asked for': async () => {
        await open(pageFor(AUDITS.everything(), 'de'), STILL, async (page) => {
            const words = await page.innerText('main');
            assert.match(words, /Entscheidung über Kredite/);
            assert.match(words, /zurückgezahlt/);
            assert.match(words, /\d,\d\u202f%/);
            assert.doesNotMatch(words, /\d\.\d+\s%|[“]\w+[”]/);
            assert.doesNotMatch(words, /\b(the|people|asked|with|share|of)\b/i);
            assert.equal(await page.getAttribute('html', 'lang'), 'de');
        });
    },

    'prints without buttons, light': async () => {
        for (const lang of ['en', 'de'])
            await open(pageFor(AUDITS.everything(), lang), { colorScheme: 'dark' }, async (page) => {
                await assertPrints(page, 'button:not(.sort):visible, summary:visible, a:visible');
                await page.setViewportSize({ width: 680, height: 960 });
                await assertFits(page);
                await assertReadable(page);
            });
    },

    'a script adds copying and sorting': async () => {
        const audit = AUDITS.usual();
        await open(pageFor(audit), clipboard, async (page) => {
            await page.locator('.block:has(#failure) .copy button').click();
            await page.locator('.block:has(#failure) [role=status]:text("Copied")').waitFor();
            const rows = splitCsv(await page.evaluate(() => navigator.clipboard.readText())).slice(1);
            assert.deepEqual(
                rows.map((row) => row.slice(0, 3)),
                audit.results.map(({ failure: f }) => [f.promised, f.people, f.failed].map(String)),
            );
            await page.locator('#drop th button').nth(1).click();
            const asked = await page.$$eval('#drop td:nth-child(2)', (cells) => cells.map((cell) => Number(cell.dataset.v)));
            assert.deepEqual(asked, [...asked].sort((a, b) => a - b));
            assert.match(await page.getAttribute('footer a', 'href'), /^blob:/);
        });
    },

    'a report of tacit, as it writes it': async () => {
        const run = (...words) => execFileSync(tacit, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
        run('demo', '--keep', '.', '--people', '2000', '--quiet');
        for (const lang of ['en', 'de']) {
            const outputs = ['--lang', lang, '--report', 'report.html', '--json', 'twin.json', '--quiet'];
            run('audit', 'loans.tacit', 'loans.csv', '--held-out', '--group', 'region', ...outputs);
            const file = join(folder, 'report.html');
            assert.ok(statSync(file).size < MOST_BYTES);
            const url = pathToFileURL(file).href;
            await assertLooks(url, BOTH, { contrast: false }); // colours as above
            await open(url, STILL, async (page) => {
                await page.emulateMedia({ media: 'print' });
                await page.setViewportSize({ width: 680, height: 960 });
                await assertFits(page);
                assert.deepEqual(await page.evaluate(brokenWords, 'th'), []);
            });
            await assertNumbers(url, JSON.parse(readFileSync(join(folder, 'twin.json'), 'utf8')));
        }
    },
};

const code = await runCases(cases);
await close();
process.exit(code);
