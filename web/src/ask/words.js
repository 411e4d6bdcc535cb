// The language in use, for every component: texts, numbers, and what to call an attribute.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { LANGUAGES } from './strings.js';
import { isNumber, readable, yesOrNo } from './values.js';

const NBSP = '\u00a0';
const MADE_UP = /^Please give: /; // the question that a schema gets when nobody wrote one

export function wordsOf(lang) {
    const t = LANGUAGES[lang];
    const format = new Intl.NumberFormat(lang, { maximumFractionDigits: 6 });
    const percents = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
    const mark = format.formatToParts(1.5).find(({ type }) => type === 'decimal').value;
    const own = ({ question }) => (question && !MADE_UP.test(question) ? question : null);

    /** A value as text. */
    function shown(attribute, value) {
        if (isNumber(attribute)) return Number.isFinite(Number(value)) ? format.format(Number(value)) : String(value);
        const pair = yesOrNo(attribute);
        if (pair && value === pair.yes) return t.question.yes;
        return pair && value === pair.no ? t.question.no : String(value);
    }

    return {
        t,
        lang,
        mark,
        number: format.format,
        /** "a, b and c"; `joint` is t.and or t.or. */
        list: (words, joint = t.and) =>
            words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${joint} ${words[words.length - 1]}`,
        /** Never rounded up to certainty. */
        percent: (share) => `${percents.format(Math.min(share < 1 ? 99.9 : 100, 100 * share))}${NBSP}%`,
        shown,
        /** As the heading of its page. */
        titleOf: (attribute) => own(attribute) ?? t.question.give(readable(attribute.name)),
        /** In a list. */
        labelOf: (attribute) => own(attribute) ?? readable(attribute.name).replace(/^./u, (c) => c.toUpperCase()),
    };
}

export const Words = createContext(null);
export const useWords = () => useContext(Words);
