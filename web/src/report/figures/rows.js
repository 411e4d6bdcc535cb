// Charts with a name per row (attributes, groups): names to the left of the rows, or above them where it is narrow.
import * as Plot from '@observablehq/plot';
import { textWidth } from '../../parts/marks.js';

const NARROW = 520;
const LONGEST = 26; // characters of a name beside a row

// Names often differ at their ends, so it is their middle that goes.
function cut(name, room) {
    const end = Math.floor((room - 1) / 3);
    return name.length > room ? `${name.slice(0, room - 1 - end)}…${name.slice(-end)}` : name;
}

/** Layout of rows called `names`: options of Plot.plot, and marks for the names and the lines they stand on. */
export function rowLayout(names, width, top) {
    const narrow = width < NARROW;
    const step = narrow ? 36 : 26;
    const shown = names.map((name) => cut(name, narrow ? Math.floor((width - 20) / 7) : LONGEST));
    const left = narrow ? 12 : 18 + Math.max(...shown.map(textWidth));
    return {
        options: {
            height: top + step * names.length + 44,
            marginLeft: left,
            marginTop: top,
            marginBottom: 44,
            marginRight: 20,
            // A point per row; the place, not the name, is the key: names may be alike once cut.
            y: { type: 'linear', domain: [names.length - 0.5, -0.5], axis: null },
        },
        marks: [
            Plot.ruleY(names, { y: (_, i) => i, stroke: 'var(--line)' }),
            Plot.text(shown, {
                y: (_, i) => i,
                text: (name) => name,
                frameAnchor: 'left',
                textAnchor: narrow ? 'start' : 'end',
                dx: narrow ? -8 : -10,
                dy: narrow ? -14 : 0,
                fill: 'currentColor',
            }),
        ],
    };
}

/** Those of the values that have room for their label. */
export function spacedTicks(values, low, high, pixels, room = 40) {
    const kept = [];
    for (const value of values)
        if (!kept.length || ((value - kept[kept.length - 1]) / (high - low || 1)) * pixels >= room) kept.push(value);
    return kept;
}
