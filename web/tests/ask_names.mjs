// A model whose names and texts could be taken for something else: members that every JavaScript object has, and HTML.
// Two of its attributes have one value only: no page may speak of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from './ask_server.mjs';
import { visit } from './ask_visit.mjs';
import { browser, byClient, CHECK, finish, folder, START, tacit } from './ask_world.mjs';

const NAMES = ['valueOf', 'hasOwnProperty', '__proto__', 'constructor', 'toString', '10', '2'];
const CONSTANTS = ['always_same', 'never_other'];
const COLOURS = ['<b>red</b>', '"bläu"', 'green\u2028&amp;'];

function row(i) {
    const numbers = NAMES.slice(0, -1).map((_, k) => ((7 * k + 11) * i) % (20 + k));
    const colour = COLOURS[i % 3];
    const score = numbers.reduce((sum, value) => sum + value, 0) + 20 * (i % 3);
    return [...numbers, `"${colour.replace(/"/g, '""')}"`, 5, 'x', score > 82 ? 'yes' : 'no'].join(',');
}

function makeModel() {
    const run = (...words) => execFileSync(tacit, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const rows = Array.from({ length: 600 }, (_, i) => row(i));
    writeFileSync(join(folder, 'names.csv'), [[...NAMES, ...CONSTANTS, 'outcome'].join(','), ...rows, ''].join('\n'));
    run('fit', 'names.csv', '--label', 'outcome', '--public', 'valueOf,hasOwnProperty,always_same', '--schema-only', '-o', 'n.json');
    const schema = JSON.parse(readFileSync(join(folder, 'n.json'), 'utf8'));
    for (const attribute of schema.attributes) {
        attribute.question = `${attribute.name}?</script><img src=x onerror="document.title='run'">`;
        attribute.help = '<script>throw 1</script>\u2028';
    }
    writeFileSync(join(folder, 'n.json'), JSON.stringify(schema));
    run('fit', 'names.csv', '--schema', 'n.json', '-o', 'names.tacit', '--quiet');
    return schema.attributes;
}

export const names = {
    'names of JavaScript and texts like HTML are just names and texts': async () => {
        const attributes = makeModel();
        const server = await serve(tacit, folder, ['names.tacit']);
        const values = Object.fromEntries(NAMES.map((name, i) => [name, name === '2' ? COLOURS[1] : String(9 + i)]));
        const known = { valueOf: 9, hasOwnProperty: 10 };
        const { asked, label } = await byClient(server.url, known, values);
        assert.ok(asked.length > 1);
        assert.ok(asked.includes('2')); // whose value is longer in bytes than in characters
        await visit(browser, server.url, {}, async (person) => {
            const { page } = person;
            await person.open(server.url, START);
            assert.doesNotMatch(await person.text(), /native code|Already known|always_same|never_other/);
            await person.begin(known);
            for (const name of asked) {
                assert.equal(await person.asked(attributes), name);
                await person.answer(values[name]);
            }
            await person.at(CHECK);
            await page.reload();
            await person.at(CHECK);
            await finish(person);
            assert.doesNotMatch(await person.text(), /always_same|never_other/);
            assert.ok((await person.text('.decision')).includes(label));
            assert.equal(await page.locator('main img, main script, main b').count(), 0);
            await person.erase();
        });
        await server.stop();
    },
};
