// Ten ways through the questionnaire.
import assert from 'node:assert/strict';
import { serve } from './ask_server.mjs';
import { visit } from './ask_visit.mjs';
import {
    assertDecision,
    attributes,
    browser,
    byClient,
    change,
    CHECK,
    counted,
    DOWN,
    finish,
    folder,
    goTo,
    loans,
    nobody,
    publicOf,
    questionOf,
    sensitive,
    somebody,
    START,
    tacit,
} from './ask_world.mjs';
import { assertAccessible, assertFits, PHONE } from './browser.mjs';

export const journeys = {
    'decided without a question': () =>
        visit(browser, loans.url, {}, async (person) => {
            await goTo(person, loans.url, nobody, 0);
            await person.at(CHECK);
            assert.match(await person.text(), /No question was needed/);
            await finish(person);
            assert.equal(await person.title(), `None of the ${sensitive.length} questions was asked`);
            await assertDecision(person, nobody);
            await person.erase();
        }),

    'several questions, the same as by audit and by the plain client': () =>
        visit(browser, loans.url, {}, async (person) => {
            await person.open(loans.url, START);
            const list = await person.text();
            for (const { question } of attributes) assert.ok(list.includes(question), question);
            await person.begin(publicOf(somebody));
            assert.match(
                await person.text('.why'),
                /Your answer .* Without it, up to 8 other questions may be needed\./,
            );
            assert.match(await person.text('.progress'), /^At most 9 more questions, about \d$/);
            assert.deepEqual(await person.answerAll(attributes, somebody.values), somebody.asked);
            const client = await byClient(loans.url, publicOf(somebody), somebody.values);
            assert.deepEqual([client.asked, client.label], [somebody.asked, somebody.label]);
            const answers = await person.text();
            assert.ok(!answers.includes(somebody.label), 'the decision waits');
            assert.ok(answers.includes(questionOf(somebody.asked[3])));
            await finish(person);
            await assertDecision(person, somebody);
            assert.match(await person.text('.decision'), /Certain\b.*proven, not estimated/s);
            await person.erase();
        }),

    refused: () =>
        visit(browser, loans.url, {}, async (person) => {
            await goTo(person, loans.url, somebody, 0);
            const refused = [];
            for (let name = await person.asked(attributes); name; name = await person.asked(attributes)) {
                await person.page.getByRole('button', { name: 'I would rather not say' }).click();
                const cost = await person.text('.refuse');
                const others = sensitive.length - 1 - refused.length;
                const words = others
                    ? `${counted(others, 'One other question', 'other questions')} may be asked instead`
                    : 'Nothing else can be asked instead';
                assert.ok(cost.includes(words), cost);
                assert.equal(await person.page.evaluate(() => document.activeElement.id), 'refuse-title');
                await person.turn(() => person.page.getByRole('button', { name: 'Do not say' }).click());
                refused.push(name);
            }
            assert.deepEqual([...refused].sort(), sensitive.map(({ name }) => name).sort());
            assert.match(await person.text(), /Nothing more can be asked/);
            await finish(person);
            assert.match(await person.text('.decision'), /Not settled\b.*probability that it stays is \d+(\.\d)? %/s);
            assert.match(await person.text(), /You would rather not say: .*late payments/);
            await person.erase();
        }),

    'back, by button and by browser': () =>
        visit(browser, loans.url, {}, async (person) => {
            const [one, two, three] = somebody.asked.map(questionOf);
            const value = () => person.page.locator('#answer').evaluate((node) => node.value);
            const shown = (name) => {
                const { type } = attributes.find((a) => a.name === name);
                return type === 'category' ? 'on' : somebody.values[name];
            };
            await goTo(person, loans.url, somebody, 2);
            assert.equal(await person.title(), three);
            await person.turn(() => person.page.getByRole('button', { name: 'Back' }).click());
            assert.equal(await person.title(), two);
            assert.equal(await value(), shown(somebody.asked[1]));
            await person.turn(() => person.page.goBack());
            assert.equal(await person.title(), one);
            assert.equal(await value(), shown(somebody.asked[0]));
            await person.turn(() => person.page.goBack());
            assert.equal(await person.page.inputValue('#public-1'), somebody.values.loan_amount);
            await person.turn(() => person.page.goForward());
            await person.turn(() => person.page.goForward());
            assert.equal(await person.title(), two);
            const sent = person.requests.length;
            await person.turn(() => person.next());
            assert.equal(await person.title(), three);
            assert.equal(person.requests.length, sent, 'the same answer is not sent twice');
            assert.deepEqual(await person.answerAll(attributes, somebody.values), somebody.asked.slice(2));
            await finish(person);
            await assertDecision(person, somebody);
            await person.page.goBack(); // nothing to see any more
            await person.page.waitForFunction(() => history.state.page === 'check');
            await assertDecision(person, somebody);
            await person.erase();
        }),

    'an earlier answer changed': () =>
        visit(browser, loans.url, {}, async (person) => {
            const { person: who, first, value, again, dropped } = change;
            await goTo(person, loans.url, who, who.asked.length);
            await person.at(CHECK);
            await person.turn(() => person.page.getByRole('button', { name: `Change: ${questionOf(first)}` }).click());
            await person.answer(value);
            await person.at(CHECK);
            const notes = await person.text('.notes');
            assert.ok(
                notes.includes(
                    counted(dropped, 'One answer was not needed any more', 'answers were not needed any more'),
                ),
                notes,
            );
            assert.ok(notes.includes(counted(again.length, 'One of your later', 'of your later answers')), notes);
            const kept = Object.values((await person.storage()).session).join();
            for (const name of who.asked.slice(1))
                assert.equal(kept.includes(`"attribute":"${name}"`), again.includes(name), name);
            await finish(person);
            await assertDecision(person, await byClient(loans.url, publicOf(who), { ...who.values, [first]: value }));
            await person.erase();
        }),

    'reloaded half way, and at the end': () =>
        visit(browser, loans.url, {}, async (person) => {
            await goTo(person, loans.url, somebody, 2);
            await person.page.reload();
            await person.at(questionOf(somebody.asked[2]));
            await person.turn(() => person.page.goBack());
            await person.at(questionOf(somebody.asked[1]));
            await person.turn(() => person.next());
            assert.deepEqual(await person.answerAll(attributes, somebody.values), somebody.asked.slice(2));
            await person.page.reload();
            await finish(person);
            const { session } = await person.storage();
            const left = JSON.parse(Object.values(session)[0]);
            assert.deepEqual([left.steps, left.spare, left.known], [[], {}, null], 'answers are gone');
            assert.deepEqual(Object.keys(left.outcome).sort(), ['decision', 'not_asked', 'not_known', 'refused', 'token']);
            await person.page.reload();
            await person.at('never asked');
            await assertDecision(person, somebody);
            await person.erase();
            await person.page.reload();
            await person.at(START);
        }),

    'token expired: goes on with the same answers': () =>
        visit(browser, loans.url, { allowed: DOWN }, async (person) => {
            const seconds = 2;
            const short = await serve(tacit, folder, ['loans.tacit', '--token-minutes', String(seconds / 60)]);
            person.origin = new URL(short.url).origin;
            await goTo(person, short.url, somebody, 0);
            await person.page.waitForTimeout(1000 * (seconds + 1));
            await short.stop();
            const usual = await serve(tacit, folder, ['loans.tacit'], { port: short.port });
            await person.fill('answer', somebody.values[somebody.asked[0]]);
            await person.next();
            await person.at('Your session has ended');
            assert.match(
                await person.text(),
                /Too much time has passed.*Your 4 answers are still in this browser tab/s,
            );
            await assertAccessible(person.page);
            await person.turn(() => person.page.getByRole('button', { name: 'Go on with my answers' }).click());
            assert.equal(await person.title(), questionOf(somebody.asked[1]));
            assert.deepEqual(await person.answerAll(attributes, somebody.values), somebody.asked.slice(1));
            await finish(person);
            await assertDecision(person, somebody);
            await person.erase();
            await usual.stop();
        }),

    'server restarted half way: same key, then another': () =>
        visit(browser, loans.url, { allowed: DOWN }, async (person) => {
            let server = await serve(tacit, folder, ['loans.tacit']);
            const { url, port } = server;
            person.origin = new URL(url).origin;
            await goTo(person, url, somebody, 1);
            await server.stop();
            await person.fill('answer', somebody.values[somebody.asked[1]]);
            await person.next();
            await person.page.locator('.trouble').waitFor();
            assert.match(await person.text('.trouble'), /cannot be reached. Nothing is lost/);
            await assertAccessible(person.page);
            server = await serve(tacit, folder, ['loans.tacit'], { port });
            await person.turn(() => person.next());
            assert.equal(await person.title(), questionOf(somebody.asked[2]));
            await server.stop();
            server = await serve(tacit, folder, ['loans.tacit'], { port, key: 'two.key' });
            await person.fill('answer', somebody.values[somebody.asked[2]]);
            await person.next();
            await person.at('Your session has ended');
            await person.turn(() => person.page.getByRole('button', { name: 'Go on with my answers' }).click());
            assert.match(await person.text('.notes'), /3 of your later answers were used again/);
            assert.deepEqual(await person.answerAll(attributes, somebody.values), somebody.asked.slice(3));
            await finish(person);
            await assertDecision(person, somebody);
            await person.erase();
            await server.stop();
        }),

    'by keyboard only': () =>
        visit(browser, loans.url, {}, async (person) => {
            const { keyboard } = person.page;
            const focused = () => person.page.evaluate(() => document.activeElement.textContent);
            const focusSeen = () =>
                person.page.evaluate(() => {
                    const node = document.activeElement.closest('.card') ?? document.activeElement;
                    return parseFloat(getComputedStyle(node).outlineWidth) >= 2;
                });
            const tabTo = async (place) => {
                for (let i = 0; i < 40; i++) {
                    if (await person.page.evaluate((one) => document.activeElement.matches(one), place)) return;
                    await keyboard.press('Tab');
                }
                throw new Error(`no way to ${place}`);
            };
            const choose = async (id, level) => {
                const { levels } = attributes.find(({ name }) => name === id);
                await tabTo('input[type=radio]');
                for (let i = 0; i <= levels.indexOf(level); i++) await keyboard.press(i ? 'ArrowDown' : 'Space');
            };
            await person.open(loans.url, START);
            await tabTo('button.primary');
            assert.ok(await focusSeen());
            await person.turn(() => keyboard.press('Enter'));
            assert.equal(await focused(), await person.title());
            await choose('region', somebody.values.region);
            assert.ok(await focusSeen());
            await tabTo('#public-1');
            await keyboard.type(somebody.values.loan_amount);
            await tabTo('#public-2');
            await keyboard.type(somebody.values.loan_term);
            await person.turn(() => keyboard.press('Enter'));
            for (const name of somebody.asked) {
                assert.equal(await person.asked(attributes), name);
                assert.equal(await focused(), questionOf(name));
                await keyboard.press('Tab');
                assert.ok(await focusSeen());
                if (attributes.find((one) => one.name === name).type === 'category')
                    await choose(name, somebody.values[name]);
                else await keyboard.type(somebody.values[name]);
                await person.turn(() => keyboard.press('Enter'));
            }
            assert.equal(await focused(), CHECK);
            await tabTo('button.primary');
            await person.turn(() => keyboard.press('Enter'));
            await assertDecision(person, somebody);
            await tabTo('button.primary');
            await keyboard.press('Enter');
            await person.at(/Everything is erased/);
        }),

    'on a phone': () =>
        visit(browser, loans.url, { viewport: PHONE, hasTouch: true, isMobile: true }, async (person) => {
            const { page } = person;
            const looks = async () => {
                await assertFits(page);
                const small = await page.$$eval('button, input, select, summary, .card', (nodes) =>
                    nodes
                        .map((node) => node.closest('label') ?? node)
                        .map((node) => ({ height: node.getBoundingClientRect().height, text: node.textContent }))
                        .filter(({ height }) => height > 0 && height < 24),
                );
                assert.deepEqual(small, [], 'easy to hit');
            };
            await person.open(loans.url, START);
            await looks();
            await person.turn(() => person.next());
            await looks();
            await person.page.goBack();
            await person.begin(publicOf(somebody));
            for (const name of somebody.asked) {
                await looks();
                await person.answer(somebody.values[name]);
            }
            await looks();
            await finish(person);
            await looks();
            await person.erase();
            await looks();
        }),
};
