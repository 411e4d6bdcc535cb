// A chart as wide as its place: drawn again when the width changes, and for paper, where nobody measures.  Colours are
// CSS variables, so that dark mode needs no new drawing.
import * as Plot from '@observablehq/plot';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { axisTitle, keyGroup } from './marks.js';

const PAPER_WIDTH = 660; // pixels of CSS between the margins of an A4 or letter page

/** draw(width) gives the options of Plot.plot, and with them `key`, the items of a key, and `yTitle`, the name of the
 * vertical axis.  `label` is the chart in one sentence. */
export function Chart({ draw, label }) {
    const place = useRef(null);
    useLayoutEffect(() => {
        let drawn = 0;
        const drawAt = (width) => {
            if (!width || width === drawn) return;
            drawn = width;
            const { key = [], yTitle = '', ...options } = draw(width);
            const svg = Plot.plot({
                width,
                ariaLabel: label,
                className: 'plot',
                style: { background: 'none', fontFamily: 'inherit', fontSize: '12px', overflow: 'visible' },
                ...options,
            });
            svg.append(keyGroup(key, width), axisTitle(yTitle, options.marginTop));
            // To a reader of screens it is one picture with one sentence.
            svg.setAttribute('role', 'img');
            svg.querySelectorAll('[aria-label]').forEach((part) => part.removeAttribute('aria-label'));
            place.current.replaceChildren(svg);
        };
        const redraw = () => drawAt(Math.floor(place.current.clientWidth));
        const print = () => drawAt(PAPER_WIDTH);
        redraw();
        const observer = new ResizeObserver(redraw);
        observer.observe(place.current);
        addEventListener('beforeprint', print);
        addEventListener('afterprint', redraw);
        return () => {
            observer.disconnect();
            removeEventListener('beforeprint', print);
            removeEventListener('afterprint', redraw);
        };
    }, [draw, label]);
    return <div class="chart" ref={place} />;
}
