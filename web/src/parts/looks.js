// How lines, bars and dots look: by colour, and without colour by dash, symbol and filling.

const POSITIVE = ['var(--green)', 'var(--plum)', 'var(--olive)', 'var(--slate)'];
const SYMBOLS = ['triangle', 'square', 'diamond', 'star'];

/** Of a line: method is baseline, opt, paper or tacit; rank counts the deltas above 0 from 0, and is -1 at delta 0. */
export function lineLook(method, rank) {
    if (method === 'baseline') return { color: 'var(--soft)', dash: '10 3 2 3', symbol: 'plus', filled: false };
    if (method === 'opt') return { color: 'var(--ink)', dash: '1.5 3', symbol: 'times', filled: false };
    const ours = method === 'tacit';
    return {
        color: rank >= 0 ? POSITIVE[rank % POSITIVE.length] : ours ? 'var(--blue)' : 'var(--rust)',
        dash: ours ? null : '6 3',
        symbol: rank >= 0 ? SYMBOLS[rank % SYMBOLS.length] : ours ? 'circle' : 'square2',
        filled: ours,
    };
}

/** Of a bar or a dot: full for ours, hollow for the paper's, half when both are the same. */
export const fillLook = {
    tacit: { fill: 'var(--blue)', stroke: 'var(--blue)', 'stroke-width': 1.2 },
    paper: { fill: 'var(--page)', stroke: 'var(--rust)', 'stroke-width': 1.5 },
    both: { fill: 'var(--slate)', 'fill-opacity': 0.45, stroke: 'var(--slate)', 'stroke-width': 1.2 },
    opt: { stroke: 'var(--ink)', 'stroke-width': 2.2 },
};

/** The same as options of a Plot mark. */
export function markLook(name) {
    const { fill, stroke, 'fill-opacity': fillOpacity, 'stroke-width': strokeWidth } = fillLook[name];
    return { fill, stroke, fillOpacity, strokeWidth };
}

export const FILL_TEXT = { tacit: 'Tacit', paper: 'paper’s rule', both: 'both rules alike', opt: 'Opt' };
