// What the tests of the questionnaire share: models, servers, people, and how far they have to go.  The program and the
// examples are named by the command line (ask_page.mjs).
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeModels, serve } from './ask_server.mjs';
import { startBrowser } from './browser.mjs';

export const tacit = resolve(process.argv[2]);
export const embed = join(resolve(process.argv[3]), 'embed');
const { decide } = await import(pathToFileURL(join(embed, 'client.mjs')).href);

export const PUBLIC = ['region', 'loan_amount', 'loan_term'];
export const START = 'Only what the decision needs';
export const CHECK = 'Check your answers';
export const DOWN = /Failed to load resource/; // what the browser itself says of a request that fails

export const { browser, folder, close } = await startBrowser();
export const { schema, people, check } = makeModels(tacit, folder);
export const loans = await serve(tacit, folder, ['loans.tacit']);
export const both = await serve(tacit, folder, ['loans.tacit', 'trip.tacit']);

export const { attributes } = schema;
export const sensitive = attributes.filter(({ role }) => role === 'sensitive');
export const publicOf = ({ values }) => Object.fromEntries(PUBLIC.map((name) => [name, values[name]]));
export const questionOf = (name) => attributes.find((one) => one.name === name).question;

/** The decision by the plain client, with the names asked for in order. */
export async function byClient(url, known, values) {
    const asked = [];
    const end = await decide(url, known, ({ name }) => (asked.push(name), values[name]));
    return { asked, ...end.decision };
}

export const nobody = people.find(({ asked }) => asked.length === 0);
export const somebody = people.find(({ asked }) => asked.length === 4);

// Somebody for whom another answer to the first question makes some later answers superfluous, and needs others again.
async function findChange() {
    for (const person of people.filter(({ asked }) => asked.length >= 4).slice(0, 40)) {
        const [first, ...later] = person.asked;
        const { min, max, type } = attributes.find(({ name }) => name === first);
        if (type === 'category') continue;
        for (const value of [min, max].map(String).filter((one) => one !== person.values[first])) {
            const { asked } = await byClient(loans.url, publicOf(person), { ...person.values, [first]: value });
            const again = later.filter((name) => asked.includes(name));
            if (again.length && again.length < later.length && asked.length === 1 + again.length)
                return { person, first, value, again, dropped: later.length - again.length };
        }
    }
    throw new Error('no such person');
}
export const change = await findChange();

export const counted = (n, one, many) => (n === 1 ? one : `${n} ${many}`);

export async function assertDecision(person, { asked, label }) {
    const open = sensitive.length - asked.length;
    const text = await person.text();
    assert.ok(text.includes(label), text);
    for (const { name, question } of sensitive)
        assert.equal(text.indexOf(question) >= 0, !asked.includes(name), `${name}: ${text}`);
    if (open) assert.ok(text.indexOf('never asked') < text.indexOf('The decision'), 'what was not asked comes first');
}

/** Starts where `known` leads and stops at the question `n` (from 0), everything before it answered. */
export async function goTo(person, url, who, n) {
    await person.open(url, START);
    await person.begin(publicOf(who));
    for (const name of who.asked.slice(0, n)) {
        assert.equal(await person.asked(attributes), name);
        await person.answer(who.values[name]);
    }
}

export async function finish(person) {
    await person.at(CHECK);
    await person.turn(() => person.next());
}

/** The list of models at the root of a server that has several. */
export const openList = (person) => person.open(both.url, 'Questionnaires');
