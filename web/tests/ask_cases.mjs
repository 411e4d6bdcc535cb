// What must hold of the questionnaire beside its journeys: fields, languages, frames, trouble, erasing.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { serve } from './ask_server.mjs';
import { visit } from './ask_visit.mjs';
import {
    assertDecision,
    attributes,
    both,
    browser,
    byClient,
    CHECK,
    check,
    DOWN,
    embed,
    finish,
    folder,
    goTo,
    loans,
    nobody,
    openList,
    people,
    PUBLIC,
    publicOf,
    questionOf,
    sensitive,
    somebody,
    START,
    tacit,
} from './ask_world.mjs';
import { assertAccessible } from './browser.mjs';

export const cases = {
    'no value in the log': () =>
        visit(browser, loans.url, {}, async (person) => {
            await goTo(person, loans.url, somebody, somebody.asked.length);
            for (const value of ['region', 'job', 'housing'].map((name) => somebody.values[name]))
                assert.ok(!loans.log().includes(value), value);
            assert.match(loans.log(), /v1\/answers/);
            await person.erase();
        }),

    'small, and nothing inside the HTML that the server forbids': async () => {
        const get = async (path) => (await fetch(new URL(path, loans.url))).text();
        const [html, js, css] = await Promise.all(['', 'ask.js', 'ask.css'].map(get));
        assert.ok(Buffer.byteLength(js) < 60_000, `${Buffer.byteLength(js)} bytes`);
        assert.ok(Buffer.byteLength(css) < 15_000);
        assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|style=|\son\w+=/);
        assert.match(js, /^\/\*\nThis page contains:\s+preact/);
    },

    'how sure: everything asked, or likely': async () => {
        const everybody = people.find(({ asked }) => asked.length === sensitive.length);
        await visit(browser, loans.url, {}, async (person) => {
            await goTo(person, loans.url, everybody, sensitive.length);
            await finish(person);
            assert.equal(await person.title(), 'Everything was asked');
            assert.match(await person.text('.decision'), /Complete\b.*Nothing is left open/s);
            await person.erase();
        });
        const loose = await serve(tacit, folder, ['loans.tacit', '--delta', '0.2']);
        const ends = await Promise.all(
            people
                .slice(0, 20)
                .map(async (who) => ({ who, end: await byClient(loose.url, publicOf(who), who.values) })),
        );
        const { who, end } = ends.find((one) => one.end.status === 'likely');
        await visit(browser, loose.url, {}, async (person) => {
            await goTo(person, loose.url, { ...who, ...end }, end.asked.length);
            await finish(person);
            const share = (Math.floor(1000 * end.probability) / 10).toString().split('.')[0];
            assert.match(
                await person.text('.decision'),
                new RegExp(`Likely\\b.*a probability of ${share}(\\.\\d)? %`, 's'),
            );
            await person.erase();
        });
        await loose.stop();
    },

    'receipt that tacit check accepts': () =>
        visit(browser, loans.url, { acceptDownloads: true }, async (person) => {
            await goTo(person, loans.url, somebody, somebody.asked.length);
            await finish(person);
            const [download] = await Promise.all([
                person.page.waitForEvent('download'),
                person.page.getByRole('button', { name: 'Download the receipt' }).click(),
            ]);
            assert.equal(download.suggestedFilename(), 'tacit-receipt.json');
            const file = join(folder, 'receipt.json');
            await download.saveAs(file);
            assert.match(check(file), new RegExp(`^valid: ${somebody.label}, certain`));
            assert.deepEqual(
                JSON.parse(readFileSync(file, 'utf8')).asked.map(({ attribute }) => attribute),
                somebody.asked,
            );
            assert.match(await person.text(), /The receipt was saved/);
            await person.erase();
        }),

    'receipt too late, and while the server is away': () =>
        visit(browser, loans.url, { allowed: DOWN }, async (person) => {
            const seconds = 5;
            const short = await serve(tacit, folder, ['loans.tacit', '--token-minutes', String(seconds / 60)]);
            const download = () => person.page.getByRole('button', { name: 'Download the receipt' }).click();
            const said = (words) => person.page.getByRole('status').filter({ hasText: words }).waitFor();
            person.origin = new URL(short.url).origin;
            await goTo(person, short.url, nobody, 0);
            await finish(person);
            await short.stop();
            await download();
            await said('The server cannot be reached');
            const again = await serve(tacit, folder, ['loans.tacit'], { port: short.port });
            await person.page.waitForTimeout(1000 * (seconds + 1));
            await download();
            await said('It is too late');
            await assertAccessible(person.page);
            await person.erase();
            await again.stop();
        }),

    'answers outside the domain are said to be clipped': () =>
        visit(browser, loans.url, {}, async (person) => {
            await person.open(loans.url, START);
            await person.begin({ ...publicOf(somebody), loan_amount: '1,000,000' });
            const most = (await (await fetch(new URL('v1/model', loans.url))).json()).attributes.find(
                ({ name }) => name === 'loan_amount',
            ).max;
            const end = most.toLocaleString('en-GB');
            assert.ok((await person.text('.notes')).endsWith(`outside what the model knows and counts as ${end}.`));
            await person.answerAll(attributes, somebody.values);
            assert.ok((await person.text()).includes(`1,000,000 (counted as ${end})`));
            await person.erase();
        }),

    'mistakes are pointed out, linked to their fields; public ones may be left out': () =>
        visit(browser, loans.url, {}, async (person) => {
            const { page } = person;
            await person.open(loans.url, START);
            await person.turn(() => person.next());
            await person.fill('public-0', somebody.values.region);
            await page.fill('#public-1', 'much');
            await person.next();
            await page.locator('[role=alert]').waitFor();
            assert.ok(await page.evaluate(() => document.activeElement.matches('[role=alert]')));
            assert.match(await person.text('[role=alert]'), /2 answers are missing/);
            const described = await page.getAttribute('#public-1', 'aria-describedby');
            assert.ok(described.split(' ').includes('public-1-error'));
            assert.match(await person.text('#public-1-error'), /Please write a whole number, for example 1\d,\d00/);
            await assertAccessible(page);
            await page.getByRole('button', { name: questionOf('loan_amount') }).click();
            assert.equal(await page.evaluate(() => document.activeElement.id), 'public-1');
            await page.keyboard.press('Control+A');
            await page.keyboard.type(somebody.values.loan_amount);
            await person.turn(() => page.getByRole('button', { name: 'Go on without what is empty' }).click());
            assert.equal(await person.asked(attributes), 'loan_term');
            assert.match(await person.text('.why'), /asked of everybody/);
            await person.answer(somebody.values.loan_term);
            assert.equal(await person.asked(attributes), somebody.asked[0]);
            await person.next();
            assert.match(await person.text('#answer-error'), /Please answer, or say that you would rather not/);
            assert.equal(await page.evaluate(() => document.activeElement.id), 'answer');
            await person.erase();
        }),

    'public values changed at the check: answers are used again': () =>
        visit(browser, loans.url, {}, async (person) => {
            await goTo(person, loans.url, somebody, somebody.asked.length);
            await person.at(CHECK);
            await person.turn(() =>
                person.page.getByRole('button', { name: `Change: ${questionOf('loan_term')}` }).click(),
            );
            const term = somebody.values.loan_term === '12' ? '24' : '12';
            await person.page.fill('#public-2', term);
            await person.turn(() => person.next());
            await person.answerAll(attributes, somebody.values);
            await finish(person);
            const known = { ...publicOf(somebody), loan_term: term };
            await assertDecision(person, await byClient(loans.url, known, somebody.values));
            await person.erase();
        }),

    'several models: a list, and every kind of field': () =>
        visit(browser, both.url, {}, async (person) => {
            const { page } = person;
            await openList(person);
            await page.getByRole('link', { name: 'trip' }).click();
            await person.at(START);
            assert.equal(page.url(), `${both.url}m/trip/`);
            const { attributes: trip } = await (await fetch(`${both.url}m/trip/v1/model`)).json();
            await person.turn(() => person.next());
            const seen = new Set();
            while (await page.locator('#answer').count()) {
                const title = await person.title();
                const { name } = trip.find((one) => title === `Please give: ${one.name}`);
                seen.add(name);
                await assertAccessible(page);
                if (name === 'smoker') {
                    assert.deepEqual(await page.locator('.card').allInnerTexts(), [
                        'Yes',
                        'No',
                        'I do not know (and that is what counts)',
                    ]);
                    await person.answer(null);
                } else if (name === 'country') {
                    await page.fill('#answer-filter', 'jap');
                    assert.match(await person.text('.long'), /1 of 10 shown/);
                    await page.keyboard.press('Enter');
                    assert.equal(await page.inputValue('#answer'), 'Japan');
                    await page.focus('#answer');
                    await person.turn(() => page.keyboard.press('Enter'));
                } else await person.answer(name === 'days' ? 14 : 12.25);
            }
            assert.ok(seen.has('smoker') && seen.has('country'), [...seen].join());
            assert.match(await person.text(), /Country\s+Japan/);
            assert.match(await person.text(), /Smoker\s+not known/);
            await finish(person);
            await person.erase();
        }),

    'in German, numbers too; the language can be switched': () =>
        visit(browser, loans.url, { locale: 'de-AT' }, async (person) => {
            const { page } = person;
            await person.open(loans.url, 'Nur was die Entscheidung braucht');
            assert.equal(await page.getAttribute('html', 'lang'), 'de');
            await person.begin({ ...publicOf(somebody), loan_amount: '9.750' });
            const values = { ...somebody.values, income: somebody.values.income.replace('.', ',') };
            await assertAccessible(page);
            await person.answerAll(attributes, values);
            await person.at('Stimmen Ihre Antworten?');
            assert.match(await person.text(), /9\.750/);
            await page.getByRole('button', { name: 'English' }).click();
            await person.at(CHECK);
            assert.equal(await page.getAttribute('html', 'lang'), 'en');
            assert.match(await person.text(), /9,750/);
            await page.reload();
            await person.at(CHECK);
            await page.getByRole('button', { name: 'Deutsch' }).click();
            await person.turn(() => person.next());
            assert.match(await person.text('.decision'), /Die Entscheidung.*Wie sicher ist sie\?/s);
            await person.erase();
            const known = { ...publicOf(somebody), loan_amount: 9750 };
            assert.ok((await byClient(loans.url, known, somebody.values)).label);
        }),

    'embedded: the site passes on what it knows': async () => {
        const page = readFileSync(join(embed, 'embed.html'), 'utf8');
        let html = '';
        const host = createServer((_, reply) => reply.setHeader('Content-Type', 'text/html').end(html));
        await new Promise((done) => host.listen(0, '127.0.0.1', done));
        const site = `http://127.0.0.1:${host.address().port}`;
        const open = await serve(tacit, folder, ['loans.tacit', '--embed', site]);
        html = page
            .replace('http://127.0.0.1:8080/', open.url)
            .replace('<head>', '<head><link rel="icon" href="data:,">');
        const tab = await browser.newContext({ locale: 'en-GB' });
        const outer = await tab.newPage();
        const complaints = [];
        outer.on('console', (message) => complaints.push(message.text()));
        await outer.goto(site);
        const frame = outer.frameLocator('iframe');
        await frame.getByText('Already known').waitFor();
        assert.match(await frame.locator('main').innerText(), /How much would you like to borrow\?\s+9,750/);
        await outer.frames()[1].evaluate(() => postMessage({ tacit: 'public', public: { loan_amount: 1 } }, '*'));
        await frame.getByRole('button', { name: 'Start' }).click();
        const known = { region: 'south', loan_amount: 9750, loan_term: 36 };
        const { asked, label } = await byClient(open.url, known, somebody.values);
        for (const name of asked) {
            await frame.getByRole('heading', { name: questionOf(name) }).waitFor();
            const { type } = attributes.find((one) => one.name === name);
            if (type === 'category') await frame.getByLabel(somebody.values[name], { exact: true }).check();
            else await frame.locator('#answer').fill(somebody.values[name]);
            await frame.locator('button.primary').click();
        }
        await frame.getByRole('heading', { name: 'Passed on by the site' }).waitFor();
        await frame.getByRole('button', { name: 'Show the decision' }).click();
        await frame.locator('.decision', { hasText: label }).waitFor();
        await frame.getByRole('button', { name: 'Erase and finish' }).click();
        await frame.getByText('Everything is erased').waitFor();
        assert.deepEqual(complaints, []);

        // What cannot be a value is asked for instead.
        html = html.replace("'south'", "'nowhere'");
        assert.match(html, /'nowhere'/);
        await outer.reload();
        await frame.getByText('Already known').waitFor();
        assert.doesNotMatch(await frame.locator('main').innerText(), /nowhere/);
        await frame.getByRole('button', { name: 'Start' }).click();
        await frame.getByLabel('south', { exact: true }).check();
        await frame.locator('button.primary').click();
        await frame.getByRole('heading', { name: questionOf(asked[0]) }).waitFor();

        // Sites that were not named get nothing.
        html = page.replace('http://127.0.0.1:8080/', loans.url);
        await outer.reload();
        assert.ok(outer.frames()[1].url().startsWith('chrome-error:'), outer.frames()[1].url());
        await tab.close();
        await open.stop();
        host.close();
    },

    'a busy server is waited for': () =>
        visit(browser, loans.url, { allowed: DOWN }, async (person) => {
            const { page } = person;
            let refusals = 1;
            await page.route('**/v1/sessions', (route) =>
                refusals-- > 0
                    ? route.fulfill({
                          status: 429,
                          headers: { 'Retry-After': '7' },
                          body: '{"code":"too-many-sessions"}',
                      })
                    : route.continue(),
            );
            await person.open(loans.url, START);
            await person.turn(() => person.next());
            for (const [i, name] of PUBLIC.entries()) await person.fill(`public-${i}`, somebody.values[name]);
            await person.next();
            await page.locator('.trouble').waitFor();
            assert.match(await person.text('.trouble'), /busy.*try again in 7 seconds/);
            await person.turn(() => person.next());
            assert.equal(await person.asked(attributes), somebody.asked[0]);
            await person.erase();
        }),

    'mistakes of the page are shown and sent nowhere': () =>
        visit(browser, loans.url, { allowed: /made up/ }, async (person) => {
            await person.open(loans.url, START);
            const sent = person.requests.length;
            await person.page.evaluate(
                () =>
                    void setTimeout(() => {
                        throw new Error('made up');
                    }),
            );
            await person.page.locator('.broken').waitFor();
            assert.match(await person.text('.broken'), /sent to nobody.*made up/s);
            await assertAccessible(person.page);
            assert.equal(person.requests.length, sent);
        }),

    'leave and erase: everywhere, also while a reply is on its way': () =>
        visit(browser, loans.url, {}, async (person) => {
            const { page } = person;
            const leave = /^Leave and erase$/;
            await person.open(loans.url, START);
            await person.erase(leave);
            await page.getByRole('button', { name: 'Start again' }).click();
            await person.turn(() => person.next());
            await person.erase(leave);
            for (const n of [1, somebody.asked.length]) {
                await goTo(person, loans.url, somebody, n);
                await person.erase(leave);
                await person.turn(() => page.goBack());
                const typed = await page.$$eval('input[type=text]', (all) => all.map(({ value }) => value).join(''));
                assert.equal(typed, '');
                assert.deepEqual((await person.storage()).session, {});
            }
            await goTo(person, loans.url, somebody, 0);
            let release;
            const held = new Promise((done) => (release = done));
            await page.route('**/v1/answers', async (route) => (await held, route.continue()));
            await person.fill('answer', somebody.values[somebody.asked[0]]);
            await person.next();
            await person.erase(leave);
            const late = page.waitForResponse('**/v1/answers');
            release();
            await (await late).finished();
            await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
            assert.deepEqual((await person.storage()).session, {});
            await person.at(/Everything is erased/);
        }),
};
