// Models to ask about, and the real server that asks.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const QUESTIONS = {
    region: ['Where do you live?', ''],
    loan_amount: ['How much would you like to borrow?', 'In euros.'],
    loan_term: ['Over how many months?', ''],
    age: ['How old are you?', ''],
    job: ['What do you do for a living?', 'Your main occupation.'],
    employment_years: ['For how many years have you done it?', 'In the same occupation, wherever it was.'],
    income: ['What is your monthly income?', 'Your own, after tax, in euros.'],
    housing: ['How do you live?', ''],
    dependants: ['How many people live on your income?', 'Children and others, yourself not counted.'],
    savings: ['How much have you saved?', 'Together, in euros.'],
    existing_debts: ['How much do you owe already?', 'Other loans, in euros. A mortgage does not count.'],
    late_payments: ['How many instalments have you paid late?', 'In the last two years, more than two weeks late.'],
};
const COUNTRIES = ['Austria', 'Belgium', 'Chile', 'Denmark', 'Estonia', 'France', 'Ghana', 'Hungary', 'India', 'Japan'];

// People of a questionnaire with every kind of field: yes or no, many choices, not knowing; nothing public.
function tripRows() {
    const rows = ['smoker,country,days,distance,outcome'];
    for (let i = 0; i < 600; i++) {
        const smoker = i % 17 === 0 ? '' : i % 3 ? 'no' : 'yes';
        const country = COUNTRIES[(7 * i) % COUNTRIES.length];
        const days = (11 * i) % 30;
        const distance = ((13 * i) % 100) / 4;
        const score = (smoker === 'yes' ? 20 : 0) + COUNTRIES.indexOf(country) + days / 6 + distance / 6;
        rows.push([smoker, country, days, distance, score > 11 ? 'advice' : 'none'].join(','));
    }
    return `${rows.join('\n')}\n`;
}

/** Rows of a plain CSV text, as objects. */
export function readRows(file) {
    const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    const names = head.split(',');
    return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
}

/** Trains in `folder`: demo.tacit, loans.tacit from the built-in sample with other questions, and trip.tacit. */
export function makeModels(tacit, folder) {
    const run = (...words) => execFileSync(tacit, words, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    run('demo', '--keep', '.', '--people', '2000', '--quiet');
    copyFileSync(join(folder, 'loans.tacit'), join(folder, 'demo.tacit')); // with texts and notices
    const roles = ['--label', 'outcome', '--public', 'region,loan_amount,loan_term'];
    run('fit', 'loans.csv', ...roles, '--schema-only', '-o', 'schema.json', '--quiet');
    const schema = JSON.parse(readFileSync(join(folder, 'schema.json'), 'utf8'));
    for (const attribute of schema.attributes) [attribute.question, attribute.help] = QUESTIONS[attribute.name];
    writeFileSync(join(folder, 'schema.json'), JSON.stringify(schema));
    run('fit', 'loans.csv', '--schema', 'schema.json', '-o', 'loans.tacit', '--quiet');
    run('audit', 'loans.tacit', 'loans.csv', '--delta', '0', '--no-opt', '--rows', 'rows.csv', '--quiet');
    writeFileSync(join(folder, 'trip.csv'), tripRows());
    run('fit', 'trip.csv', '--label', 'outcome', '-o', 'trip.tacit', '--quiet');
    for (const name of ['one.key', 'two.key']) writeFileSync(join(folder, name), randomBytes(32));

    const people = readRows(join(folder, 'loans.csv'));
    const asked = readRows(join(folder, 'rows.csv'));
    return {
        schema,
        /** People with what the audit says about them: { values, asked: [names], label }. */
        people: asked.map((row) => ({
            values: people[row.row - 1],
            asked: row.asked ? row.asked.replace(/"/g, '').split(';') : [],
            label: row.label,
        })),
        check: (receipt) => run('check', receipt, '--model', 'loans.tacit').toString(),
    };
}

const running = new Set();
process.on('exit', () => running.forEach((child) => child.kill())); // also when a test fails

/** Starts `tacit serve` with these words; resolves to { url, port, stop, log } once it listens. */
export async function serve(tacit, folder, words, { port = 0, key = 'one.key' } = {}) {
    const fixed = ['serve', '--listen', `127.0.0.1:${port}`, '--key', key, '--rate', '0'];
    const child = spawn(tacit, [...fixed, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    child.stderr.on('data', (bytes) => (log += bytes));
    const ended = once(child, 'exit');
    running.add(child);
    child.on('exit', () => running.delete(child));
    const line = await Promise.race([
        once(createInterface({ input: child.stdout }), 'line').then(([text]) => text),
        ended.then(([code]) => {
            throw new Error(`tacit serve ended with ${code}: ${log}`);
        }),
    ]);
    const url = new URL('/', /http:\S+/.exec(line)[0]).href;
    return {
        url,
        port: Number(new URL(url).port),
        log: () => log,
        async stop() {
            child.kill('SIGTERM');
            const [code] = await ended;
            if (code !== 0) throw new Error(`tacit serve ended with ${code}: ${log}`);
        },
    };
}
