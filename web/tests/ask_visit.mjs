// A person in front of the questionnaire: opens it, reads it, answers it.  Watches what no visit may do: complain, ask
// another server, put answers into addresses, or store anything beyond the tab.
import assert from 'node:assert/strict';
import { WIDE } from './browser.mjs';

const NUMBER = 'INPUT text';
const primary = 'button.primary';

export class Visit {
    constructor(page, origin) {
        Object.assign(this, { page, origin, complaints: [], requests: [] });
        page.setDefaultTimeout(120_000); // patient: the machine may have other things to do
        page.on('console', (message) => this.complaints.push(`${message.type()}: ${message.text()}`));
        page.on('pageerror', (error) => this.complaints.push(String(error)));
        page.on('request', (request) => {
            this.requests.push(request.url());
            if ((request.postDataBuffer()?.length ?? 0) % 1024) this.complaints.push('a request says how long it is');
        });
    }

    title = () => this.page.innerText('h1');
    text = async (place = 'main') => (await this.page.innerText(place)).replace(/[\u00a0\u202f]/g, ' ');
    next = () => this.page.click(primary);

    /** Waits for a page whose heading matches. */
    async at(heading) {
        await this.page.locator('h1', { hasText: heading }).waitFor();
    }

    async open(url, heading) {
        await this.page.goto(url);
        await this.at(heading);
    }

    /** Fills the field `id` with a value: text, a number as text, or null for "I do not know". */
    async fill(id, value, within = this.page) {
        const field = within.locator(`#${id}`);
        const kind = await field.evaluate((node) => `${node.tagName} ${node.type}`);
        if (value === null)
            await within
                .locator('form')
                .getByLabel(/do not know|weiß es nicht/)
                .check();
        else if (kind === NUMBER) await field.fill(String(value));
        else if (kind.startsWith('SELECT')) await field.selectOption(value);
        else
            await within
                .locator(`input[name=${id}] + span`)
                .filter({ hasText: new RegExp(`^${value}$`, 'i') })
                .click();
    }

    /** From the start page to the first question, or to the check. */
    async begin(publicValues) {
        await this.next();
        const values = Object.values(publicValues);
        if (!values.length) return;
        await this.page.locator('#public-0').waitFor();
        for (const [i, value] of values.entries()) await this.fill(`public-${i}`, value);
        await this.turn(() => this.next());
    }

    /** Does something that leads to another page, and waits for it. */
    async turn(act) {
        const before = await this.page.evaluate(() => ({ ...history.state, title: document.title }));
        await act();
        await this.page.waitForFunction(
            (old) =>
                document.querySelector('main').getAttribute('aria-busy') === 'false' &&
                (history.state.page !== old.page || history.state.at !== old.at || document.title !== old.title),
            before,
        );
    }

    /** Which attribute is asked for; null when it is over. */
    async asked(attributes) {
        if (!(await this.page.locator('#answer').count())) return null;
        const title = await this.title();
        return attributes.find(({ question }) => question === title).name;
    }

    async answer(value) {
        await this.fill('answer', value);
        await this.turn(() => this.next());
    }

    /** Answers what is asked until nothing is; gives the names asked for. */
    async answerAll(attributes, values) {
        const names = [];
        for (let name = await this.asked(attributes); name; name = await this.asked(attributes)) {
            names.push(name);
            await this.answer(values[name]);
        }
        return names;
    }

    storage = () => this.page.evaluate(() => ({ session: { ...sessionStorage }, local: { ...localStorage } }));

    /** "Erase", wherever it stands, and nothing is left. */
    async erase(name = /^(Erase and finish|Leave and erase|Löschen und beenden|Verlassen und löschen)$/) {
        await this.page.getByRole('button', { name }).last().click();
        await this.at(/Everything is erased|Alles ist gelöscht/);
        assert.deepEqual(await this.storage(), { session: {}, local: {} });
    }

    /** What must hold at the end; `allowed` matches complaints that the test provoked. */
    async assertDiscreet(allowed) {
        const state = await this.page.evaluate(() => Object.keys(history.state ?? {}));
        for (const key of state) assert.ok(['page', 'at', 'depth'].includes(key), `history holds ${key}`);
        assert.deepEqual((await this.storage()).local, {});
        assert.deepEqual(
            this.complaints.filter((line) => !allowed?.test(line)),
            [],
        );
        for (const url of [...this.requests, this.page.url()].filter((one) => !/^(data|blob):/.test(one))) {
            const { origin, pathname, search, hash } = new URL(url);
            assert.equal(origin, this.origin, `asked ${url}`);
            assert.match(
                `${pathname}${search}${hash}`,
                /^(\/m\/\w+)?\/(ask\.(js|css)|v1\/(models?|sessions|answers|receipts))?$/,
            );
        }
        assert.deepEqual(await this.page.context().cookies(), []);
    }
}

// A fresh tab costs more than a page in it: people of one kind sit down at the same one, when everything is cleared away.
const tabs = new Map();
async function tabFor(browser, { viewport = WIDE, ...kind }) {
    const key = JSON.stringify(kind);
    if (!tabs.has(key)) tabs.set(key, await (await browser.newContext({ locale: 'en-GB', ...kind })).newPage());
    const page = tabs.get(key);
    await page.emulateMedia({ media: null, colorScheme: 'light', reducedMotion: 'no-preference' });
    await page.setViewportSize(viewport);
    return page;
}

/** Opens a page for a person, hands it to `look`, and checks that it was discreet. */
export async function visit(browser, url, options, look) {
    const { allowed, ...kind } = options;
    const page = await tabFor(browser, kind);
    const person = new Visit(page, new URL(url).origin);
    try {
        await look(person);
        await person.assertDiscreet(allowed);
    } finally {
        page.removeAllListeners();
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.evaluate(() => sessionStorage.clear()).catch(() => {}); // a page of an error has no storage
        await page.goto('about:blank');
    }
}
