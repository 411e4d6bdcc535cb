// Every kind of page of the questionnaire, light and dark, wide and narrow: accessible, and not too wide.
import { join } from 'node:path';
import { visit } from './ask_visit.mjs';
import { attributes, both, browser, change, DOWN, loans, openList, publicOf, START } from './ask_world.mjs';
import { assertAccessible, assertFits, PHONE, WIDE } from './browser.mjs';

const shots = process.argv[4]; // a folder for pictures

async function lookAt(person, name) {
    // Colours depend neither on the size nor on the language, and what a page is made of on none of them: one of each
    // theme shows all.
    for (const [colorScheme, size, tag, contrast] of [
        ['light', WIDE, 'desktop-light', !name.startsWith('de-')],
        ['dark', WIDE, 'desktop-dark', null],
        ['light', PHONE, 'phone-light', null],
        ['dark', PHONE, 'phone-dark', name.startsWith('de-') ? null : 'only'],
    ]) {
        await person.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await person.page.setViewportSize(size);
        await assertFits(person.page);
        if (contrast !== null) await assertAccessible(person.page, { contrast });
        if (shots) await person.page.screenshot({ path: join(shots, `${name}-${tag}.png`), fullPage: true });
    }
}

export const looks = {};
for (const locale of ['en-GB', 'de-DE'])
    looks[`accessible in light and dark, wide and narrow: ${locale}`] = () =>
        visit(browser, loans.url, { locale }, async (person) => {
            const look = (name) => lookAt(person, `${locale.slice(0, 2)}-${name}`);
            const { person: who } = change;
            await person.open(loans.url, /./);
            await look('start');
            await person.turn(() => person.next());
            await look('public');
            await person.page.goBack();
            await person.begin(publicOf(who));
            await look('question');
            await person.answer('99');
            await look('clipped');
            await person.page.click('form > button.quiet');
            await look('refuse');
            await person.answerAll(attributes, who.values);
            await person.page.locator('dl').first().waitFor();
            await look('check');
            await person.turn(() => person.next());
            await look('decision');
            await person.erase();
            await look('erased');
        });

looks['accessible in light and dark, wide and narrow: trouble'] = () =>
    visit(browser, loans.url, { allowed: DOWN }, async (person) => {
        const { page } = person;
        const look = (name) => lookAt(person, `en-${name}`);
        await page.route('**/v1/model*', (route) => route.abort());
        await person.open(loans.url, 'Something went wrong');
        await look('unreachable');
        await person.erase(/^Leave and erase$/);
        await person.open(loans.url, 'Something went wrong');
        await page.unroute('**/v1/model*');
        await person.next();
        await person.at(START);
        await person.turn(() => person.next());
        await person.next();
        await page.locator('[role=alert]').waitFor();
        await look('mistakes');
        await page.goBack();
        await person.begin(publicOf(change.person));
        await page.route('**/v1/answers', (route) => route.abort());
        await person.fill('answer', '1');
        await person.next();
        await page.locator('[role=alert]').waitFor();
        await look('cut-off');
        await page.unroute('**/v1/answers');
        await page.route('**/v1/answers', (route) => route.fulfill({ status: 401, body: '{"code":"token-expired"}' }));
        await person.next();
        await person.at('Your session has ended');
        await look('lost');
        await person.erase(/^Leave and erase$/);
    });

looks['accessible in light and dark, wide and narrow: every kind of field'] = () =>
    visit(browser, both.url, {}, async (person) => {
        const { page } = person;
        const look = (name) => lookAt(person, `en-${name}`);
        await openList(person);
        await look('models');
        await page.getByRole('link', { name: 'trip' }).click();
        await person.at(START);
        await person.turn(() => person.next());
        for (let i = 0; await page.locator('#answer').count(); i++) {
            await look(`field-${i}`);
            await person.turn(async () => {
                await page.getByRole('button', { name: 'I would rather not say' }).click();
                await page.getByRole('button', { name: 'Do not say' }).click();
            });
        }
    });
