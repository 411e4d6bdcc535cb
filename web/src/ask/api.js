// Talking to the server that this page came from, and to nobody else.  Answers travel in bodies, never in addresses.
//
// A call that does not succeed throws a Trouble, whose `kind` says what the person can do about it:
//   network  try again            busy   wait, then try again     lost    start again, with the same answers
//   input    answer differently   server try again

const PATIENCE = 30_000; // milliseconds until a server that says nothing counts as unreachable

export class Trouble extends Error {
    constructor(kind, { code = '', detail = '', wait = 0 } = {}) {
        super(`${kind} ${code}`.trim());
        Object.assign(this, { kind, code, detail, wait });
    }
}

function kindOf(status, code) {
    if (code.startsWith('token-')) return 'lost';
    if (status === 429 || status === 503) return 'busy';
    return status === 422 ? 'input' : 'server';
}

async function troubleOf(response) {
    const { code = `http-${response.status}`, detail = '' } = await response.json().catch(() => ({}));
    const wait = Math.max(1, Math.ceil(Number(response.headers.get('Retry-After'))) || 1);
    return new Trouble(kindOf(response.status, code), { code, detail, wait });
}

const STEP = 1024; // requests are as long as multiples of it

/** With blanks at the end: whoever sees how long a request is shall not know which of two words was answered. */
function padded(text) {
    const over = new TextEncoder().encode(text).length % STEP; // in bytes, which is what is seen
    return over ? text + ' '.repeat(STEP - over) : text;
}

async function call(path, body) {
    const gone = new AbortController();
    const timer = setTimeout(() => gone.abort(), PATIENCE);
    const options = { cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer', signal: gone.signal };
    if (body)
        Object.assign(options, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: padded(JSON.stringify(body)),
        });
    try {
        const response = await fetch(path, options).catch(() => {
            throw new Trouble('network');
        });
        if (!response.ok) throw await troubleOf(response);
        return await response.json().catch(() => {
            throw new Trouble('network');
        });
    } finally {
        clearTimeout(timer);
    }
}

export const getModel = () => call('v1/model');
export const getModels = () => call('v1/models');
export const startSession = (known) => call('v1/sessions', { public: known, receipt: false });
/** An answer whose value is null is that it is not known. */
export const sendAnswer = (token, { value, ...rest }) =>
    call('v1/answers', { token, ...rest, ...(value === null ? { unknown: true } : { value }), receipt: false });
/** By the token of a decision. */
export const getReceipt = async (token) => (await call('v1/receipts', { token })).receipt;
