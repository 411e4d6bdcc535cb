// What the schema says to people: texts in place of codes in both languages, who asks and what rights there are, and
// that not knowing is offered only where it is an answer.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { serve } from './ask_server.mjs';
import { visit } from './ask_visit.mjs';
import { browser, folder, tacit } from './ask_world.mjs';
import { assertAccessible, assertFits, PHONE, WIDE } from './browser.mjs';

const shots = process.argv[4]; // a folder for pictures
const KNOWN = { loan_amount: 9750, loan_term: 36 };

async function look(person, name) {
    for (const [size, tag] of [
        [WIDE, 'desktop'],
        [PHONE, 'phone'],
    ]) {
        await person.page.setViewportSize(size);
        await assertFits(person.page);
        if (size === WIDE) await assertAccessible(person.page); // made of the same on a phone
        if (shots) await person.page.screenshot({ path: join(shots, `notices-${name}-${tag}.png`), fullPage: true });
    }
    await person.page.setViewportSize(WIDE);
}

// Refuses whatever is asked until it is over; `seen` is told of every page.
async function refuseAll(person, seen) {
    const { page } = person;
    while (await page.locator('#answer').count()) {
        await seen();
        await person.turn(async () => {
            await page.getByRole('button', { name: /I would rather not say|Das möchte ich nicht angeben/ }).click();
            await page.getByRole('button', { name: /^(Do not say|Nicht angeben)$/ }).click();
        });
    }
}

function demonstration(locale, words) {
    return async () => {
        const server = await serve(tacit, folder, ['demo.tacit']);
        await visit(browser, server.url, { locale }, async (person) => {
            const { page } = person;
            await person.open(server.url, words.start);
            const start = await person.text();
            for (const text of words.notices) assert.ok(start.includes(text), `${text} is not in ${start}`);
            await look(person, `${locale.slice(0, 2)}-start`);
            await person.begin({ region: words.south, loan_amount: KNOWN.loan_amount, loan_term: KNOWN.loan_term });
            let asked = 0;
            await refuseAll(person, async () => {
                assert.equal(await page.getByLabel(/do not know|weiß es nicht/).count(), 0); // nowhere an answer
                if (!asked++) await look(person, `${locale.slice(0, 2)}-question`);
            });
            assert.ok(asked > 0);
            assert.ok((await person.text()).includes(words.south));
            await person.turn(() => person.next());
            const end = await person.text();
            for (const text of words.rights) assert.ok(end.includes(text), `${text} is not in ${end}`);
            assert.doesNotMatch(await person.text('.decision'), /repaid|default/);
            await look(person, `${locale.slice(0, 2)}-decision`);
            await person.erase();
        });
        await server.stop();
    };
}

/** The trip, in which the schema allows not knowing of the days only.  Trees see numbers, and that there is none, as they
 * are; of others an end or a typical value counts, and the page says so. */
const notKnown = (kind, hint, note, listed) => async () => {
    const run = (...args) => execFileSync(tacit, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    run('fit', 'trip.csv', '--label', 'outcome', '--schema-only', '-o', 'trip.json', '--quiet');
    const schema = JSON.parse(readFileSync(join(folder, 'trip.json'), 'utf8'));
    for (const attribute of schema.attributes) attribute.missing = attribute.name === 'days' ? 'value' : 'refused';
    writeFileSync(join(folder, 'trip.json'), JSON.stringify(schema));
    run('fit', 'trip.csv', '--schema', 'trip.json', '--model', kind, '-o', 'days.tacit', '--quiet');
    const server = await serve(tacit, folder, ['days.tacit']);
    await visit(browser, server.url, {}, async (person) => {
        const { page } = person;
        await person.open(server.url, /./);
        await person.turn(() => person.next());
        let said = false;
        while (await page.locator('#answer').count()) {
            const days = (await person.title()) === 'Please give: days';
            assert.equal(await page.getByLabel(/do not know/).count(), days ? 1 : 0);
            if (days) {
                assert.match(await person.text(), hint);
                assert.match(await person.text(), note);
                await person.answer(null);
                said = true;
                continue;
            }
            await person.turn(async () => {
                await page.getByRole('button', { name: 'I would rather not say' }).click();
                await page.getByRole('button', { name: 'Do not say' }).click();
            });
        }
        assert.ok(said);
        assert.match(await person.text(), listed);
        await person.turn(() => person.next());
        assert.match(await person.text(), /Not known: days\. A typical value counted instead/);
        const [file] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('button', { name: 'Download the receipt' }).click(),
        ]);
        const receipt = join(folder, 'days-receipt.json');
        await file.saveAs(receipt);
        const entry = JSON.parse(readFileSync(receipt, 'utf8')).asked.find(({ attribute }) => attribute === 'days');
        assert.equal(entry.not_known, true);
        assert.equal('value' in entry, false);
        assert.match(run('check', receipt, '--model', 'days.tacit').toString(), /1 answer was not known/);
        await person.erase();
    });
    await server.stop();
};

export const notices = {
    'texts, notices and rights in English': demonstration('en-GB', {
        start: 'Only what the decision needs',
        south: 'south',
        notices: ['outcome of the loan', 'paid back', 'Who asks, and your rights', 'privacy@bank.example', 'object'],
        rights: ['Review by a person', 'You may have a person look at it again', 'privacy@bank.example'],
    }),
    'texts, notices and rights in German': demonstration('de-DE', {
        start: 'Nur was die Entscheidung braucht',
        south: 'Süden',
        notices: ['Ausgang des Kredits', 'zurückgezahlt', 'Wer fragt, und Ihre Rechte', 'anfechten', 'Nach Steuern.'],
        rights: ['Prüfung durch einen Menschen', 'ein Mensch sie prüft', 'zurückgezahlt'],
    }),
    'not knowing is offered where it is an answer, and said as such': notKnown(
        'logistic',
        /beyond that, the nearest of the two counts/,
        /I do not know\s+\(a typical value counts instead\)/,
        /Days\s+not known, a typical value counts/,
    ),
    'of trees it is said that values count as they are': notKnown(
        'trees',
        /number, usually from [0-9]+ to [0-9]+\.\s/,
        /I do not know\s+\(and that is what counts\)/,
        /Days\s+not known\s/,
    ),
};
