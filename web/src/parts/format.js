// Numbers as text, the same in every locale.

const NBSP = '\u00a0';
const MINUS = '\u2212';

const signed = (text) => text.replace(/^-/, MINUS);

/** 45211 → "45,211" */
export const count = (n) => signed(String(n).replace(/\B(?=(\d{3})+$)/g, ','));

/** A number with at most `digits` decimals; "–" when there is none. */
export function decimal(x, digits = 4) {
    if (x == null) return '–';
    return signed(x.toFixed(digits).replace(/^-(0(\.0*)?)$/, '$1'));
}

/** 0.05 → "0.05", 0.1 → "0.1": as short as it can be. */
export const short = (x) => signed(String(Number(x.toPrecision(6))));

/** 0.934 → "93 %" */
export const percent = (x, digits = 0) => (x == null ? '–' : `${decimal(100 * x, digits)}${NBSP}%`);

/** A small share must not look like nothing: 0.0004 → "0.04 %", 0.2 → "20 %". */
export function share(x) {
    const p = 100 * x;
    return percent(x, x === 0 || p >= 10 ? 0 : p >= 0.95 ? 1 : p >= 0.095 ? 2 : 3);
}

/** "|S| = 7", in one piece. */
export const equals = (name, value) => `${name}${NBSP}=${NBSP}${value}`;

/** ["a", "b", "c"] → "a, b and c" */
export function list(words) {
    return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}

/** [2, 3, 4, 7] → "2–4, 7" */
export function ranges(numbers) {
    const runs = [];
    for (const n of numbers) {
        const last = runs[runs.length - 1];
        if (last && last[1] === n - 1) last[1] = n;
        else runs.push([n, n]);
    }
    return runs.map(([a, b]) => (a === b ? `${a}` : `${a}–${b}`)).join(', ');
}
