// Reading the summary of an experiment (docs/FORMATS.md): series of cells, and which of them are the same.

const MODEL_NAMES = { logistic: 'Logistic regression', mlp: 'Neural network', trees: 'Boosted trees' };

export function modelName(model, settings) {
    const name = MODEL_NAMES[model.model] ?? model.model;
    return model.model === 'mlp' && settings.hidden ? `${name} (${settings.hidden.replace(/,/g, '–')})` : name;
}

export const METHOD_NAMES = {
    baseline: 'all asked',
    opt: 'Opt (smallest proven set)',
    paper: 'paper’s rule',
    tacit: 'Tacit',
};

export const find = (cell, method, delta) =>
    cell.methods.find((entry) => entry.method === method && (delta === undefined || entry.delta === delta));

export const lastCell = (model) => model.cells[model.cells.length - 1];

/** One series per method and delta: { method, delta, points: [{ size, entry }] }. */
export function seriesOf(model) {
    const all = new Map();
    for (const cell of model.cells)
        for (const entry of cell.methods) {
            const id = `${entry.method} ${entry.delta}`;
            if (!all.has(id)) all.set(id, { method: entry.method, delta: entry.delta, points: [] });
            all.get(id).points.push({ size: cell.size, entry });
        }
    return [...all.values()];
}

/** Series that have the same values (as far as `valueOf` tells) at every size, together. */
export function alike(series, valueOf) {
    const groups = new Map();
    for (const one of series) {
        const id = JSON.stringify(one.points.map(({ size, entry }) => [size, valueOf(entry)]));
        groups.set(id, [...(groups.get(id) ?? []), one]);
    }
    return [...groups.values()];
}

/** Paper and Tacit at one delta, as marks to draw: [["both", entry]], or one for each that ran. */
export function ruleMarks(cell, delta, valueOf) {
    const paper = find(cell, 'paper', delta);
    const tacit = find(cell, 'tacit', delta);
    if (paper && tacit && JSON.stringify(valueOf(paper)) === JSON.stringify(valueOf(tacit))) return [['both', tacit]];
    return [
        ['tacit', tacit],
        ['paper', paper],
    ].filter(([, entry]) => entry);
}

/** Deltas at which a rule ran. */
export function deltasOf(model) {
    const deltas = seriesOf(model)
        .filter((one) => one.method === 'paper' || one.method === 'tacit')
        .map((one) => one.delta);
    return [...new Set(deltas)].sort((a, b) => a - b);
}
