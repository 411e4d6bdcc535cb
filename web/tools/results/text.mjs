// Markdown, and numbers in it.  Numbers never break over lines; paragraphs are filled to a width, so that a change of
// one number is a change of few lines.
import { count, decimal, list, percent, ranges, short } from '../../src/parts/format.js';
import { MODEL_NAMES, SET_NAMES } from './read.mjs';

export { count, decimal, list, percent, ranges };

const NBSP = '\u00a0';
const WIDTH = 118;

export const size = (n) => `|S|${NBSP}=${NBSP}${n}`;
export const delta = (x) => `δ${NBSP}=${NBSP}${short(x)}`;
export const PROVEN = delta(0);
export const ABOVE = `δ${NBSP}>${NBSP}0`;
export const range = (low, high) => (low === high ? low : `${low} to ${high}`);

/** { mean, se } → "1.637 ± 0.041"; one repetition has no standard error. */
export function measured({ mean, se }, digits, scale = 1) {
  if (mean == null) return '–';
  const text = decimal(scale * mean, digits);
  return se == null ? text : `${text}${NBSP}±${NBSP}${decimal(scale * se, digits)}`;
}

/** Percentage points, with as many digits as it takes to see something. */
export function points(x) {
  const p = Math.abs(100 * x);
  if (x === 0) return `0${NBSP}points`;
  const digits = p >= 0.095 ? 2 : p >= 0.0095 ? 3 : 4;
  return `${decimal(100 * x, digits)}${NBSP}points`;
}

/** A limit in percentage points: 0.01 → "1 point". */
export const limit = (x) => `${short(100 * x)}${NBSP}point${x === 0.01 ? '' : 's'}`;

/** A share, with as many digits as it takes to see something. */
export function fine(x) {
  const p = 100 * x;
  if (x === 0 || x === 1) return percent(x);
  return percent(x, p >= 0.95 ? 1 : p >= 0.095 ? 2 : 4);
}

/** 0.0123 → "12.3 ms", 4530 → "75 min 30 s", and so on up to years. */
export function duration(seconds) {
  if (seconds < 1e-3) return `${decimal(1e6 * seconds, 1)}${NBSP}µs`;
  if (seconds < 1) return `${decimal(1e3 * seconds, 1)}${NBSP}ms`;
  if (seconds < 60) return `${decimal(seconds, seconds < 10 ? 1 : 0)}${NBSP}s`;
  if (seconds < 5400) return `${Math.floor(seconds / 60)}${NBSP}min ${Math.round(seconds % 60)}${NBSP}s`;
  if (seconds < 2 * 86400) return `${decimal(seconds / 3600, 1)}${NBSP}hours`;
  if (seconds < 2 * 365.25 * 86400) return `${decimal(seconds / 86400, 1)}${NBSP}days`;
  return `${decimal(seconds / 365.25 / 86400, 1)}${NBSP}years`;
}

/** A large factor, to two digits: 12345 → "12,000". */
export function factor(x) {
  return x < 10 ? decimal(x, 1) : count(Number(x.toPrecision(2)));
}

const WRITE = {
  set: (set) => SET_NAMES[set].toLowerCase(), model: (model) => MODEL_NAMES[model], size, delta,
};

/** "bank, network, |S| = 7, δ = 0.05": what the place says, without what all of `places` have in common. */
export function where(place, places = []) {
  const told = Object.keys(WRITE).filter((key) => place[key] != null
    && !(places.length && places.every((other) => other[key] === place[key])));
  return told.map((key) => WRITE[key](place[key])).join(', ');
}

/** A value and, in brackets, where. */
export function located(text, place, places) {
  const at = where(place, places);
  return at ? `${text} (${at})` : text;
}

const BLANKS = /[ \n]+/g; // of the source: a no-break space is no blank
const MARKER = /^([-+*#>=]|\d+[.)]$)/; // a line that began so would be something else

function fill(text, indent) {
  const lines = [''];
  for (const word of text.trim().split(BLANKS)) {
    const last = lines[lines.length - 1];
    if (last && last.length + 1 + word.length > WIDTH - indent.length && !MARKER.test(word)) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join(`\n${indent}`);
}

export const paragraph = (text) => `${fill(text, '')}\n`;
export const bullets = (items) => `${items.map((item) => `- ${fill(item, '  ')}`).join('\n')}\n`;
export const heading = (level, text) => `${'#'.repeat(level)} ${text}\n`;
export const code = (lines) => `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;

const cell = (content) => String(content).replace(BLANKS, ' ').replace(/\|/g, '\\|');
const attribute = (text) => text.replace(BLANKS, ' ').replace(/&/g, '&amp;').replace(/"/g, '&quot;');

/** Columns after the first are numbers unless `left` names them. */
export function table(head, rows, left = []) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  const rule = head.map((_, i) => (i === 0 || left.includes(i) ? '---' : '---:'));
  return `${[line(head), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')}\n`;
}

/** Pictures, those of half width side by side where there is room. */
export const pictures = (files) => `${files.map(({ file, alt, half }) =>
  `<img src="${file}" alt="${attribute(alt)}"${half ? ' width="49%"' : ''}>`).join('\n')}\n`;
