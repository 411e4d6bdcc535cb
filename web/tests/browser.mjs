// What tests of pages share: a filled page in a real browser, and what must hold of every page.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium, launch } from '../tools/chromium.mjs';
import { PLACE } from '../tools/one-page.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const WIDE = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 800 };

/** A browser, and a folder for filled copies of the page.  Ends the program with 77 when there is no Chromium. */
export async function startBrowser(html = '') {
    const path = findChromium();
    if (!path) {
        console.log('skipped: no chromium on the PATH (apt-get install chromium, or set CHROMIUM)');
        process.exit(77);
    }
    const folder = mkdtempSync(join(tmpdir(), 'tacit-page-'));
    const browser = await launch(path);

    /** The page with this text in its place. */
    function fill(name, text) {
        const file = join(folder, `${name}.html`);
        writeFileSync(
            file,
            html.replace(PLACE, () => text),
        );
        return pathToFileURL(file).href;
    }

    // A fresh tab costs five times what a page in it costs, so visits of the same kind share one.  Nothing of a visit
    // is left: pages from files keep nothing, and their look is set anew.
    const tabs = new Map();
    async function tabFor({ colorScheme = 'light', viewport = WIDE, ...kind }) {
        const key = JSON.stringify(kind);
        if (!tabs.has(key)) tabs.set(key, await (await browser.newContext(kind)).newPage());
        const page = tabs.get(key);
        page.setDefaultTimeout(300_000); // patient: the machine may have other things to do
        await page.emulateMedia({ media: null, colorScheme });
        await page.setViewportSize(viewport);
        return page;
    }

    /** Opens a page, hands it to `look`, and checks that it neither complained nor asked the world for anything. */
    async function open(url, options, look) {
        const page = await tabFor(options);
        const complaints = [];
        const requests = [];
        page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
        page.on('pageerror', (error) => complaints.push(String(error)));
        page.on('request', (request) => request.url() !== url && requests.push(request.url()));
        try {
            await page.goto(url);
            await look(page);
        } finally {
            page.removeAllListeners();
        }
        assert.deepEqual(complaints, []);
        assert.deepEqual(requests, []);
    }

    return {
        browser,
        folder,
        fill,
        fillWith: (name, data) => fill(name, JSON.stringify(data).replace(/</g, '\\u003c')),
        open,
        async close() {
            await browser.close();
            rmSync(folder, { recursive: true });
        },
    };
}

/** Rows of cells. */
export function splitCsv(text) {
    const rows = [[]];
    for (const [, cell, end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n)/g)) {
        rows[rows.length - 1].push(cell.startsWith('"') ? cell.slice(1, -1).replace(/""/g, '"') : cell);
        if (end !== ',') rows.push([]);
    }
    return rows.slice(0, -1);
}

/** What "Copy as CSV" of a figure or table puts on the clipboard, as rows of cells. */
export async function csvOf(page, id) {
    const block = `.block:has(#${id}), .block#${id}`;
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.locator(block).locator('button').click();
    await page.locator(block).locator('[role=status]:text("Copied")').waitFor();
    return splitCsv(await page.evaluate(() => navigator.clipboard.readText()));
}

const cellsOf = (rows) =>
    rows.evaluateAll((all) =>
        all.map((row) => [...row.children].map((cell) => cell.innerText.replace(/\u00a0/g, ' '))),
    );

/** The cells of a figure's table as shown. */
export async function tableOf(page, id) {
    await page.locator(`#${id}-numbers summary`).click();
    const cells = await cellsOf(page.locator(`#${id}-numbers tr`));
    await page.locator(`#${id}-numbers summary`).click();
    return cells;
}

/** The cells of a table that is seen at once. */
export const openTableOf = (page, id) => cellsOf(page.locator(`#${id} tr`));

/**
 * In the page: takes out what is made like four others before it in the same place, apart from its words, and leaves a
 * mark where it was.  Telling axe to leave it out instead costs more than looking at it: axe compares every node with
 * everything that it was told to leave out.
 */
function takeOutRepeated() {
    const words = / (?:data-[\w-]+|id|title|href|for|aria-(?:label|describedby|labelledby))="[^"]*"/g;
    const makeOf = (node) => node.outerHTML.replace(/>[^<]*/g, '>').replace(words, '').replace(/[\d.]+/g, '');
    window.takenOut = [];
    for (const parent of document.querySelectorAll('main *')) {
        if (parent.children.length <= 4 || !parent.isConnected) continue;
        const seen = new Map();
        for (const node of [...parent.children]) {
            const make = makeOf(node);
            seen.set(make, 1 + (seen.get(make) ?? 0));
            if (seen.get(make) <= 4) continue;
            const mark = document.createComment('');
            node.replaceWith(mark);
            window.takenOut.push([mark, node]);
        }
    }
}

/** In the page: puts back what was taken out. */
function putBack() {
    for (const [mark, node] of window.takenOut.reverse()) mark.replaceWith(node);
}

/**
 * Nothing for axe to complain about.  It takes its time over every cell, so of rows, words in a drawing and the like
 * that are made alike it sees the first few.  Contrast is two thirds of its time: a caller who has seen the same colours
 * before may leave it out, and one who has seen the page in other colours may ask for nothing else ('only').
 */
export async function assertAccessible(page, { contrast = true } = {}) {
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
    await page.evaluate(takeOutRepeated);
    const { violations } = await page.evaluate((contrast) => {
        const rules = contrast === 'only' ? { runOnly: ['color-contrast'] } : { rules: { 'color-contrast': { enabled: contrast } } };
        const options = { resultTypes: ['violations'], ...rules };
        const most = window.axe.run(document, options);
        return most.then(({ violations }) => ({ violations })); // what is right need not come here
    }, contrast);
    await page.evaluate(putBack);
    assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
        [],
    );
}

export async function assertFits(page) {
    const { wide, room } = await page.evaluate(() => ({
        wide: document.documentElement.scrollWidth,
        room: innerWidth,
    }));
    assert.ok(wide <= room, `the page is ${wide} px wide on a screen of ${room} px`);
}

/** Texts of one drawing must not lie on each other, nor leave it. */
export async function assertReadable(page, id) {
    const faults = await page.locator(`#${id} .chart svg`).evaluate((svg) => {
        const edge = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')]
            .filter((node) => node.textContent.trim())
            .flatMap((node) => {
                const lines = [...node.children];
                return lines.length ? lines : [node];
            })
            .map((node) => ({ words: node.textContent, box: node.getBoundingClientRect() }));
        const outside = texts.filter(
            ({ box }) =>
                box.left < edge.left - 1 ||
                box.right > edge.right + 1 ||
                box.top < edge.top - 1 ||
                box.bottom > edge.bottom + 1,
        );
        const over = (a, b) =>
            Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5 &&
            Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
        const hits = texts.flatMap((a, i) =>
            texts
                .slice(i + 1)
                .filter((b) => over(a.box, b.box))
                .map((b) => `“${a.words}” on “${b.words}”`),
        );
        return [...outside.map(({ words }) => `“${words}” outside`), ...hits];
    });
    assert.deepEqual(faults, [], id);
}

/** On paper: light, and nothing to press. */
export async function assertPrints(page, pressed = 'button:visible, select:visible, summary:visible') {
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator(pressed).count(), 0);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
}

/** Runs { name: async () => … } and gives the exit code. */
export async function runCases(cases) {
    let failed = 0;
    for (const [name, run] of Object.entries(cases)) {
        try {
            await run();
            console.log(`ok      ${name}`);
        } catch (error) {
            failed++;
            console.log(`FAILED  ${name}\n${error.message}`);
        }
    }
    return failed ? 1 : 0;
}
