// The language in use, for every component: texts, numbers, and what to call an attribute.
//
// What the model brings along is by name and code; its `texts` say what people are shown instead, some of it in several
// languages.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { LANGUAGES } from './strings.js';
import { held, isNumber, readable, yesOrNo } from './values.js';

const NBSP = '\u00a0';
const MADE_UP = /^Please give: /; // the question that a schema gets when nobody wrote one

/** A text of the model in a language, or in any; undefined where there is none. */
function spoken(text, lang) {
    if (!text || typeof text === 'string') return text;
    return text[lang] ?? text.en ?? Object.values(text)[0];
}

const capital = (words) => words.replace(/^./u, (c) => c.toUpperCase());

export function wordsOf(lang, model) {
    const t = LANGUAGES[lang];
    const format = new Intl.NumberFormat(lang, { maximumFractionDigits: 6 });
    const percents = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
    const mark = format.formatToParts(1.5).find(({ type }) => type === 'decimal').value;
    const texts = model?.texts ?? {};
    const textsOf = ({ name }) => held(texts.attributes ?? {}, name) ?? {};
    const own = (attribute) =>
        attribute.question && !MADE_UP.test(attribute.question)
            ? (spoken(textsOf(attribute).question, lang) ?? attribute.question)
            : null;
    const called = (attribute) => spoken(textsOf(attribute).text, lang);
    const nameOf = (attribute) => called(attribute) ?? readable(attribute.name);

    /** A value as text. */
    function shown(attribute, value) {
        if (isNumber(attribute)) return Number.isFinite(Number(value)) ? format.format(Number(value)) : String(value);
        const text = spoken(held(textsOf(attribute).texts ?? {}, String(value)), lang);
        if (text) return text;
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
        titleOf: (attribute) => own(attribute) ?? t.question.give(nameOf(attribute)),
        /** In a list. */
        labelOf: (attribute) => own(attribute) ?? called(attribute) ?? capital(readable(attribute.name)),
        /** In a sentence. */
        nameOf,
        helpOf: (attribute) => spoken(textsOf(attribute).help, lang) ?? attribute.help,
        /** Which special category of personal data it is, if it is one. */
        specialOf: (attribute) => textsOf(attribute).special,
        decided: () => spoken(texts.label, lang) ?? readable(model.label),
        outcome: (label) => spoken(held(texts.classes ?? {}, label), lang) ?? label,
        aboutOf: (key) => spoken(held(texts.about ?? {}, key), lang),
    };
}

export const Words = createContext(null);
export const useWords = () => useContext(Words);
