// Writes the figures of a filled page as SVG files that stand alone: light, on white, with their styles inside.
//
//   node tools/figures.mjs PAGE.html OUTDIR [ID...]       one OUTDIR/ID.svg per figure; all when none is named
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium, launch } from './chromium.mjs';

const FONT = 'Helvetica, Arial, "DejaVu Sans", sans-serif';
const SCREEN = { width: 720, height: 900 }; // one column: all figures are as wide as a page of text
const EDGE = 10;

// Runs in the page: a copy of the chart in which every inherited look has become an attribute.
function standAlone(id, font, edge) {
    const svg = document.getElementById(id)?.querySelector('.chart svg');
    if (!svg) return null;
    const LOOKS = [
        'fill',
        'stroke',
        'fill-opacity',
        'stroke-opacity',
        'opacity',
        'stroke-width',
        'stroke-dasharray',
        'stroke-linejoin',
        'stroke-linecap',
        'stroke-miterlimit',
        'font-size',
        'font-variant',
        'text-anchor',
    ];
    const PLAIN = {
        'fill-opacity': '1',
        'stroke-opacity': '1',
        opacity: '1',
        'stroke-dasharray': 'none',
        stroke: 'none',
        'stroke-linejoin': 'miter',
        'stroke-linecap': 'butt',
        'stroke-miterlimit': '4',
        'font-variant': 'normal',
        'text-anchor': 'start',
    };
    const copy = svg.cloneNode(true);
    const from = svg.querySelectorAll('*');
    copy.querySelectorAll('*').forEach((node, i) => {
        for (const { name, value } of [...node.attributes])
            if (/^(d|transform|[xyr][12]?|c[xy]|width|height)$/.test(name))
                node.setAttribute(
                    name,
                    value.replace(/\d+\.\d{3,}/g, (long) => String(Number(Number(long).toFixed(2)))),
                );
        if (node.tagName === 'style' || node.tagName === 'g') return;
        const look = getComputedStyle(from[i]);
        const drawn =
            from[i].closest('text') || look.stroke !== 'none'
                ? LOOKS
                : LOOKS.filter((name) => !name.startsWith('stroke-'));
        for (const name of drawn) {
            const value = look.getPropertyValue(name);
            if (!from[i].closest('text') && /^(font|text)/.test(name)) continue;
            if (value === PLAIN[name]) node.removeAttribute(name);
            else node.setAttribute(name, value);
        }
    });
    // What is now written on the shapes themselves.
    copy.querySelectorAll('g').forEach((group) => {
        for (const name of [...LOOKS, 'font-family', 'aria-label', 'aria-description', 'aria-hidden'])
            group.removeAttribute(name);
    });
    copy.querySelectorAll('style').forEach((style) => style.remove());
    for (const name of ['class', 'style', 'fill', 'text-anchor']) copy.removeAttribute(name);
    copy.setAttribute('font-family', font);
    copy.setAttribute('xml:space', 'preserve');
    const title = document.createElementNS(svg.namespaceURI, 'title');
    title.textContent = svg.getAttribute('aria-label');
    const back = document.createElementNS(svg.namespaceURI, 'rect');
    const width = Number(svg.getAttribute('width')) + 2 * edge;
    const height = Number(svg.getAttribute('height')) + 2 * edge;
    copy.setAttribute('viewBox', `${-edge} ${-edge} ${width} ${height}`);
    const look = { x: -edge, y: -edge, width, height, fill: '#ffffff' };
    for (const [name, value] of Object.entries(look)) back.setAttribute(name, value);
    copy.setAttribute('width', width);
    copy.setAttribute('height', height);
    copy.prepend(title, back);
    return new XMLSerializer().serializeToString(copy) + '\n';
}

async function main([file, folder, ...ids]) {
    if (!folder) throw new Error('usage: node tools/figures.mjs PAGE.html OUTDIR [ID...]');
    const path = findChromium();
    if (!path) throw new Error('no chromium on the PATH; set CHROMIUM');
    const browser = await launch(path);
    try {
        const page = await browser.newPage({ viewport: SCREEN, colorScheme: 'light' });
        page.setDefaultTimeout(300000); // a busy machine is no failure
        await page.goto(pathToFileURL(resolve(file)).href);
        const all = await page.$$eval('figure[id]', (figures) => figures.map((figure) => figure.id));
        mkdirSync(folder, { recursive: true });
        for (const id of ids.length ? ids : all) {
            const svg = await page.evaluate(`(${standAlone})(${JSON.stringify(id)}, ${JSON.stringify(FONT)}, ${EDGE})`);
            if (!svg) throw new Error(`no figure “${id}” in ${file}; there are ${all.join(', ')}`);
            writeFileSync(join(folder, `${id}.svg`), svg);
        }
    } finally {
        await browser.close();
    }
}

main(process.argv.slice(2)).catch((error) => {
    console.error(`figures: ${error.message}`);
    process.exit(1);
});
