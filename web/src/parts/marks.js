// Marks that Plot does not have: labels at line ends that keep clear of each other, and a key inside the drawing (so
// that a drawing taken out of the page still explains itself).

const SVG = 'http://www.w3.org/2000/svg';
const LINE_HEIGHT = 14;
const CHAR_WIDTH = 6.7; // of the 12 px font, generous

function element(name, attributes, children = []) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
}

export const textWidth = (text) => text.length * CHAR_WIDTH;

/** Tops for boxes of these heights near the wanted middles, in order, without overlap, between low and high. */
export function spread(middles, heights, low, high) {
    const order = middles.map((_, i) => i).sort((a, b) => middles[a] - middles[b] || a - b);
    const blocks = [];
    for (const i of order) {
        let block = { items: [i], height: heights[i], sum: middles[i] };
        for (;;) {
            const middle = block.sum / block.items.length;
            block.top = Math.max(low, Math.min(middle - block.height / 2, high - block.height));
            const before = blocks[blocks.length - 1];
            if (!before || before.top + before.height <= block.top) break;
            blocks.pop();
            block = {
                items: [...before.items, ...block.items],
                height: before.height + block.height,
                sum: before.sum + block.sum,
            };
        }
        blocks.push(block);
    }
    const tops = [];
    for (const block of blocks) {
        let top = block.top;
        for (const i of block.items) {
            tops[i] = top;
            top += heights[i];
        }
    }
    return tops;
}

/** Words on lines of about `room` characters; no-break spaces hold. */
export function wrap(text, room = 15) {
    const lines = [];
    for (const word of text.split(' ')) {
        const last = lines[lines.length - 1];
        if (last !== undefined && last.length + 1 + word.length <= room) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
    }
    return lines;
}

/** Room on the right that these labels need. */
export const endLabelRoom = (items) => 26 + Math.max(...items.flatMap((item) => item.lines.map(textWidth)));

/** items: [{ x, y, lines, color }], in data units; x is the line's end. */
export function endLabels(items) {
    return (_, scales, __, { width, height, marginTop, marginBottom, marginRight }) => {
        const heights = items.map((item) => item.lines.length * LINE_HEIGHT);
        const middles = items.map((item) => scales.y(item.y));
        const tops = spread(middles, heights, marginTop - 8, height - marginBottom + 8);
        const edge = width - marginRight;
        return element(
            'g',
            { 'font-size': 12, 'text-anchor': 'start' },
            items.flatMap((item, i) => {
                const middle = tops[i] + heights[i] / 2;
                const lines = item.lines.map((line, k) =>
                    element('text', { x: edge + 20, y: tops[i] + (k + 0.78) * LINE_HEIGHT, fill: item.color }, [line]),
                );
                const leader = element('path', {
                    d: `M${scales.x(item.x) + 6},${middles[i]}H${edge + 2}L${edge + 14},${middle}H${edge + 17}`,
                    fill: 'none',
                    stroke: item.color,
                    'stroke-opacity': 0.6,
                });
                return [leader, ...lines];
            }),
        );
    };
}

const GLYPHS = {
    box: (look) => element('rect', { x: 0, y: -10, width: 12, height: 11, ...look }),
    dot: (look) => element('circle', { cx: 6, cy: -4, r: 4.5, ...look }),
    square: (look) => element('rect', { x: 1.5, y: -8.5, width: 9, height: 9, ...look }),
    diamond: (look) => element('path', { d: 'M6,-10L11.5,-4L6,2L0.5,-4Z', ...look }),
    triangle: (look) => element('path', { d: 'M6,-10L11,0H1Z', ...look }),
    star: (look) =>
        element('path', { d: 'M6,-11L7.6,-6.2H12.6L8.6,-3.2L10,1.6L6,-1.3L2,1.6L3.4,-3.2L-0.6,-6.2H4.4Z', ...look }),
    tick: (look) => element('path', { d: 'M6,-11V3', fill: 'none', ...look }),
};

// Items on rows, from the left.
function arrange(items, room) {
    let x = 0;
    let row = 0;
    return items.map((item) => {
        const width = 18 + textWidth(item.text) + 14;
        if (x > 0 && x + width > room) {
            x = 0;
            row++;
        }
        const place = { x, row };
        x += width;
        return place;
    });
}

/** Height that a key needs. */
export function keyHeight(items, width) {
    return 18 * (1 + Math.max(0, ...arrange(items, width - 8).map((place) => place.row)));
}

/** What the vertical axis says, above it. */
export const axisTitle = (text, top) =>
    element('text', { x: 2, y: top - 12, 'text-anchor': 'start', fill: 'currentColor' }, [text]);

/** The key as an SVG group at the top left; items: [{ shape, look, text }]. */
export function keyGroup(items, width) {
    const places = arrange(items, width - 8);
    return element(
        'g',
        { 'font-size': 12, 'text-anchor': 'start' },
        items.map((item, i) =>
            element('g', { transform: `translate(${places[i].x + 2},${14 + 18 * places[i].row})` }, [
                GLYPHS[item.shape](item.look),
                element('text', { x: 18, fill: 'currentColor' }, [item.text]),
            ]),
        ),
    );
}
