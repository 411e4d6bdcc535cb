// Opens the report of an audit in a real browser: filled with made-up audits, and as tacit writes it.
//
//   node tests/report_page.mjs PAGE.html [TACIT]       TACIT: the program, for a report of its own sample data
//
// Exits with 77 when there is no Chromium.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PLACE } from '../tools/one-page.mjs';
import { AUDITS, makeAudit } from './audit_fixture.mjs';
import {
    PHONE,
    WIDE,
    assertAccessible,
    assertFits,
    assertPrints,
    assertReadable,
    csvOf,
    openTableOf,
    runCases,
    startBrowser,
    tableOf,
} from './browser.mjs';

const MOST_BYTES = 500_000; // of the page without data
const RARE = 0.05;

const html = readFileSync(process.argv[2], 'utf8');
const tacit = process.argv[3] && resolve(process.argv[3]);
const { folder, fill, fillWith, open, close } = await startBrowser(html);

const text = (value) => (value == null ? '' : String(value));
const percent = (x, digits) => (x == null ? '–' : `${(100 * x).toFixed(digits)} %`);
const ascending = (results) => [...results].sort((a, b) => a.delta - b.delta);

function figuresOf(audit) {
    if (!audit.sensitive.length) return [];
    const ids = ['asked', 'attributes', 'leakage', 'decisions', 'failure'];
    return audit.groups?.list.length ? [...ids, 'groups'] : ids;
}

// Least often asked first; the sort is stable.
function leastAsked(audit) {
    const counts = ascending(audit.results).map(({ asked_people }) => asked_people);
    return [...audit.sensitive].sort((a, b) => {
        const differing = counts.find((people) => people[a] !== people[b]);
        return differing ? differing[a] - differing[b] : 0;
    });
}

/** Rows that a figure must show, straight from the audit. */
function expectedRows(figure, audit) {
    const results = ascending(audit.results);
    const bars = (delta, histogram) => histogram.map((n, k) => [delta, k, n, n / histogram.reduce((a, b) => a + b, 0)]);
    switch (figure) {
        case 'asked':
            return [
                ...results.flatMap(({ delta, histogram }) => bars(delta, histogram)),
                ...(audit.opt ? bars(null, audit.opt.histogram) : []),
            ];
        case 'attributes':
            return leastAsked(audit)
                .reverse()
                .flatMap((name) =>
                    results.map((r) => [name, r.delta, r.asked_people[name], r.asked_people[name] / r.people]),
                );
        case 'leakage':
            return [
                ...results.map((r) => [r.delta, r.mean_asked, ...r.intervals.mean_asked, r.share_asked]),
                ...(audit.opt
                    ? [['Opt', audit.opt.mean_asked, null, null, audit.opt.mean_asked / audit.sensitive.length]]
                    : []),
            ];
        case 'decisions':
            return [
                ...results.map((r) => [r.delta, r.fidelity, ...r.intervals.fidelity, r.accuracy]),
                [null, 1, null, null, audit.baseline.accuracy],
            ];
        case 'failure':
            return results.map(({ failure: f }) => [
                f.promised,
                f.people,
                f.failed,
                f.observed,
                f.low,
                f.high,
                f.people === 0 ? 'nobody stopped early' : f.low > f.promised ? 'broken' : 'kept',
            ]);
        case 'groups':
            return audit.groups.list.flatMap(({ name, people, results: own }) =>
                ascending(own).map(({ delta, mean_asked, none_asked, fidelity, intervals: i }) => [
                    ...[name, people, delta, mean_asked, ...i.mean_asked],
                    ...[none_asked, ...i.none_asked, fidelity, ...i.fidelity],
                ]),
            );
    }
}

async function assertGlance(page, audit) {
    const rows = (await openTableOf(page, 'glance')).slice(1).map((row) => row.slice(0, 4));
    const n = audit.sensitive.length;
    assert.deepEqual(rows, [
        ['everything asked', n.toFixed(2), n ? '100.0 %' : '0.0 %', n ? '0.0 %' : '100.0 %'],
        ...ascending(audit.results).map((r) => [
            `δ = ${r.delta}`,
            r.mean_asked.toFixed(2),
            percent(r.share_asked, 1),
            percent(r.none_asked, 1),
        ]),
        ...(audit.opt
            ? [
                  [
                      'Opt: least possible',
                      audit.opt.mean_asked.toFixed(2),
                      percent(n ? audit.opt.mean_asked / n : 0, 1),
                      percent(audit.opt.histogram[0] / audit.people, 1),
                  ],
              ]
            : []),
    ]);
}

async function assertDropList(page, audit) {
    const results = ascending(audit.results);
    const busy = results.filter((r) => r.mean_asked > 0); // where nobody is asked for anything, nothing is learnt
    const rows = leastAsked(audit)
        .filter((name) => (busy.length ? busy : results).some((r) => r.asked_people[name] / r.people < RARE))
        .map((name) => [name, ...results.map((r) => text(r.asked_people[name]))]);
    if (!rows.length) {
        assert.match(await page.innerText('#drop'), /every attribute was needed/);
        return;
    }
    assert.deepEqual(
        (await csvOf(page, 'drop')).slice(1).map((row) => row.slice(0, 1 + results.length)),
        rows,
    );
    assert.deepEqual(
        (await openTableOf(page, 'drop'))
            .slice(1)
            .map((row) => row.slice(0, 1 + results.length).map((cell) => cell.replace(/ \(.*/, '').replace(/,/g, ''))),
        rows.map(([name, ...people]) => [name.replace(/,/g, ''), ...people]),
    );
}

async function assertNumbers(page, audit) {
    const ids = figuresOf(audit);
    assert.deepEqual((await page.$$eval('figure', (all) => all.map((one) => one.id))).sort(), [...ids].sort());
    await assertGlance(page, audit);
    if (ids.length) await assertDropList(page, audit);
    for (const id of ids) {
        const rows = expectedRows(id, audit);
        assert.ok((await page.locator(`#${id} svg[role=img]`).getAttribute('aria-label')).endsWith('.'));
        assert.ok((await page.innerText(`#${id} figcaption`)).length > 80, `${id}: no note`);
        assert.deepEqual(
            (await csvOf(page, id)).slice(1),
            rows.map((row) => row.map(text)),
            id,
        );
        assert.equal((await tableOf(page, id)).length, rows.length + 1, id);
    }
}

const LIGHT = ['light', WIDE];
const DARK = ['dark', PHONE];

async function assertLooks(page, audit, ways) {
    for (const [colorScheme, size] of ways) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        await page.waitForFunction(() =>
            [...document.querySelectorAll('.chart')].every(
                (chart) => Math.abs(chart.clientWidth - chart.querySelector('svg').clientWidth) < 2,
            ),
        );
        await assertFits(page);
        for (const id of figuresOf(audit)) await assertReadable(page, id);
        await assertAccessible(page);
    }
}

function assertWords(words, audit) {
    const [first] = audit.results;
    assert.ok(
        words.includes(
            `People need to give ${first.mean_asked.toFixed(1)} of ${audit.sensitive.length} sensitive attributes on average`,
        ),
        words,
    );
    for (const { delta, mean_asked } of audit.results.slice(1))
        assert.ok(words.includes(`(δ = ${delta}): ${mean_asked.toFixed(1)} attributes on average`), words);
}

// ---- cases

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };
const plain = async (page, place) => (await page.innerText(place)).replace(/\u00a0/g, ' ');

const cases = {
    'one file, small, with one place for data': async () => {
        assert.ok(Buffer.byteLength(html) < MOST_BYTES);
        assert.equal(html.split(PLACE).length, 2);
        assert.ok(html.includes(`<script type="application/json" id="data">${PLACE}</script>`));
        assert.doesNotMatch(html, /<(?:script|link|img)[^>]+(?:src|href)=/);
    },

    'says that there is no data': async () => {
        await open(fill('empty', PLACE), {}, async (page) =>
            assert.match(await page.innerText('main'), /holds no data/),
        );
    },

    'writes names as text, whatever is in them': async () => {
        const audit = AUDITS.usual();
        audit.data.files = ['</script><img src=x onerror=alert(1)>'];
        audit.groups.list[0].name = '<b>north</b>';
        await open(fillWith('markup', audit), {}, async (page) => {
            assert.ok((await page.innerText('h1')).endsWith(audit.data.files[0]));
            assert.equal(await page.locator('img').count(), 0);
        });
    },

    'says the main result and the provenance in words': async () => {
        const audit = AUDITS.usual();
        await open(fillWith('words', audit), {}, async (page) => {
            assertWords(await plain(page, '.headline'), audit);
            const source = await plain(page, '.settings');
            for (const part of [audit.command, audit.model.sha256, ...audit.data.sha256, 'loans.csv', '1,821 rows'])
                assert.ok(source.includes(part), part);
            assert.match(await plain(page, '#groups figcaption'), /2 groups are not shown.*fewer than 20 people/);
        });
    },

    'warns of a broken promise': async () => {
        await open(fillWith('broken', AUDITS.many()), {}, async (page) => {
            assert.match(await plain(page, '.headline'), /Caution: at δ = 0\.1 and 0\.3 decisions differed/);
            assert.match(await plain(page, '#failure figcaption'), /promise is broken/);
        });
    },

    'says when the people counted are those of the calibration': async () => {
        const audit = AUDITS.usual();
        audit.results.forEach((result) => (result.calibrated = result.delta > 0));
        audit.model.calibration = { people: 910, alpha: 0.05, sha256: '89abcdef'.repeat(8), same_people: true };
        await open(fillWith('own', audit), {}, async (page) => {
            for (const place of ['.headline', '#failure figcaption'])
                assert.match(await plain(page, place), /calibrated with people who are counted here/);
            const all = await plain(page, 'main');
            for (const part of ['on 910 people the model was not trained on', 'confidence of 95 %', '; it was calibrated'])
                assert.ok(all.includes(part), part);
            assert.ok((await plain(page, '.settings')).includes(audit.model.calibration.sha256));
        });
        audit.model.calibration.same_people = false;
        await open(fillWith('others', audit), {}, async (page) => {
            assert.doesNotMatch(await plain(page, 'main'), /calibrated with/);
            assert.match(await plain(page, 'main'), /on 910 people/);
        });
    },

    'claims no more than is true': async () => {
        const audit = AUDITS.usual();
        audit.results[1].none_asked = 0.99999;
        await open(fillWith('claims', audit), {}, async (page) => {
            const all = await plain(page, 'main');
            assert.match(all, /more than 99\.9 % need none/);
            assert.match(all, /of its values only the names of groups/);
            assert.match(await page.textContent('#groups-numbers caption'), /, every δ$/);
        });
        await open(fillWith('claims-bare', AUDITS.bare()), {}, async (page) =>
            assert.match(await plain(page, 'main'), /no row of the file is in it, and no value/),
        );
    },

    'drops nothing because nobody is asked for anything': async () => {
        const audit = AUDITS.usual();
        const last = audit.results[2];
        Object.assign(last, { mean_asked: 0, share_asked: 0, none_asked: 1 });
        last.histogram = last.histogram.map((_, k) => (k ? 0 : last.people));
        for (const name of audit.sensitive) last.asked_people[name] = 0;
        await open(fillWith('idle', audit), clipboard, async (page) => {
            await assertNumbers(page, audit);
            assert.ok((await csvOf(page, 'drop')).length <= audit.sensitive.length, 'everything is in the list');
            assert.match(await plain(page, '#drop'), /At δ = 0\.1 nobody is asked for anything/);
        });
    },

    'groups by the δ chosen': async () => {
        await open(fillWith('choice', AUDITS.usual()), {}, async (page) => {
            const before = await page.locator('#groups svg').innerHTML();
            await page.locator('#groups select').selectOption('0.1');
            assert.match(await plain(page, '#groups h3'), /δ = 0\.1$/);
            assert.notEqual(await page.locator('#groups svg').innerHTML(), before);
        });
    },

    'groups too small are counted, and nothing else is said': async () => {
        await open(fillWith('hidden', AUDITS.hidden()), {}, async (page) => {
            assert.match(await plain(page, '#groups'), /5 groups are not shown/);
            assert.equal(await page.locator('#groups svg').count(), 0);
        });
    },

    'breaks no name of an attribute on a phone': async () => {
        const audit = AUDITS.usual();
        for (const { asked_people } of audit.results) asked_people.employment_years = 3;
        await open(fillWith('names', audit), { viewport: PHONE }, async (page) => {
            const lines = await page.$$eval('#drop td:first-child', (cells) =>
                cells.map((cell) => {
                    const range = document.createRange();
                    range.selectNodeContents(cell);
                    return [cell.innerText, range.getClientRects().length];
                }),
            );
            assert.ok(lines.some(([name]) => name === 'employment_years'));
            for (const [name, n] of lines) assert.equal(n, 1, `${name} takes ${n} lines`);
        });
    },

    'prints its tables, without buttons': async () => {
        await open(fillWith('print', AUDITS.usual()), { colorScheme: 'dark' }, async (page) => {
            await assertPrints(page);
            assert.equal(await page.locator('table:visible').count(), 2);
        });
    },

    'prints charts in a size that can be read': async () => {
        const names = Array.from({ length: 16 }, (_, i) => `attribute ${i}`);
        const audit = makeAudit({ names, deltas: [0, 0.01, 0.05, 0.1, 0.2] });
        await open(fillWith('paper', audit), { viewport: { width: 680, height: 960 } }, async (page) => {
            await page.emulateMedia({ media: 'print' });
            await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
            const scales = await page.$$eval('.chart svg', (all) =>
                all.map((svg) => [svg.closest('figure').id, svg.getScreenCTM().a]),
            );
            for (const [id, scale] of scales) assert.ok(scale > 0.7, `${id} is shrunk to ${scale}`);
        });
    },
};

for (const [name, make] of Object.entries(AUDITS)) {
    const audit = make();
    cases[`${name}: figures and their numbers, accessible, fits`] = () =>
        open(fillWith(name, audit), clipboard, async (page) => {
            await assertNumbers(page, audit);
            await assertLooks(page, audit, name === 'usual' || name === 'many' ? [LIGHT, DARK] : [DARK]);
        });
}

if (tacit)
    cases['a report that tacit wrote'] = async () => {
        const run = (...words) => execFileSync(tacit, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
        run('demo', '--keep', '.', '--people', '2000', '--quiet');
        const outputs = ['--report', 'report.html', '--json', 'twin.json'];
        run('audit', 'loans.tacit', 'loans.csv', '--held-out', '--group', 'region', ...outputs);
        const audit = JSON.parse(readFileSync(join(folder, 'twin.json'), 'utf8'));
        const file = join(folder, 'report.html');
        assert.ok(statSync(file).size < 1_000_000);
        await open(pathToFileURL(file).href, clipboard, async (page) => {
            await assertNumbers(page, audit);
            await assertLooks(page, audit, [LIGHT]);
            assertWords(await plain(page, '.headline'), audit);
            assert.ok((await plain(page, '.settings')).includes('tacit audit loans.tacit loans.csv'));
        });
    };

const code = await runCases(cases);
await close();
process.exit(code);
