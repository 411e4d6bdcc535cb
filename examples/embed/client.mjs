// A client of the API in plain JavaScript, for browsers and Node.js.  In the terminal:
//   node client.mjs http://127.0.0.1:8080/ '{"region": "south", "loan_amount": 9750, "loan_term": 36}'
async function post(url, body) {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    const reply = await response.json();
    if (!response.ok) throw new Error(`${reply.title}: ${reply.detail}`);
    return reply;
}

/** Asks until it is decided.  `answerTo(question, progress)` gives a value, undefined: refused, or, where
 * question.missing_allowed says that this is an answer, null: not known. */
export async function decide(base, known, answerTo) {
    let step = await post(new URL('v1/sessions', base), { public: known });
    while (step.status === 'open') {
        const value = await answerTo(step.next, step.progress);
        const answer = value === undefined ? { refuse: true } : { value };
        step = await post(new URL('v1/answers', base), { token: step.token, attribute: step.next.attribute, ...answer });
    }
    return step; // decision, not_asked, refused; and the receipt, where bodies say receipt: true
}

if (globalThis.process?.argv[1]?.endsWith('client.mjs')) {
    const { createInterface } = await import('node:readline/promises');
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    const ask = async ({ question, why }, { at_most }) =>
        (await terminal.question(`${question}\n  ${why.text}\n  (at most ${at_most}; empty: refuse) `)) || undefined;
    const { decision, not_asked } = await decide(process.argv[2], JSON.parse(process.argv[3] ?? '{}'), ask);
    console.log(`${decision.label} (${decision.status}). Not asked: ${not_asked.join(', ') || 'nothing'}`);
    terminal.close();
}
