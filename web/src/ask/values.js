// Answers: what a person types or chooses, as values of an attribute, and back as text.
//
// A value is a number, a level (text), or null for "I do not know".  Numbers are read the way the person's language
// writes them, and generously: 2876.79 and 2876,79 mean the same in both.

/** What `object` holds for a name.  Attributes may be called "constructor" or "toString": only own members count. */
export const held = (object, name) => (Object.hasOwn(object, name) ? object[name] : undefined);

/** What people of this model may be asked for: attributes of one value tell nothing. */
export const askable = ({ attributes }, role) => attributes.filter((one) => one.role === role && one.matters);

export const isNumber = ({ type }) => type === 'number' || type === 'integer';

/** Levels to choose from; the server lists none for not knowing, which is offered apart from them. */
export const choicesOf = ({ levels }) => levels;

const YES = ['yes', 'y', 'true', 't', 'ja', 'j', 'oui', 'sí', 'si'];
const NO = ['no', 'n', 'false', 'f', 'nein', 'non'];

/** { yes: level, no: level } of a category that is a yes or no, else null. */
export function yesOrNo(attribute) {
    const levels = choicesOf(attribute);
    if (levels.length !== 2) return null;
    const yes = levels.find((level) => YES.includes(level.toLowerCase()));
    const no = levels.find((level) => NO.includes(level.toLowerCase()));
    return yes !== undefined && no !== undefined ? { yes, no } : null;
}

/** Could it be a value of the attribute?  Texts of numbers count as numbers, as they do for the server. */
export function isValueOf(attribute, value) {
    if (value === null) return attribute.missing_allowed;
    if (!isNumber(attribute)) return attribute.levels.includes(String(value));
    const number = typeof value === 'string' && value.trim() ? Number(value) : value;
    return attribute.type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
}

/** The number that was typed, or null.  `mark` is the decimal mark of the language. */
export function readNumber(typed, mark) {
    const group = mark === ',' ? '.' : ',';
    let text = typed
        .trim()
        .replace(/[\s\u00a0\u202f'’]/g, '')
        .replace(/^\u2212/, '-');
    const grouped = new RegExp(`^-?\\d{1,3}(\\${group}\\d{3})+(\\${mark}\\d*)?$`);
    if (grouped.test(text)) text = text.split(group).join('');
    text = text.replace(',', '.');
    return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : null;
}

/** What a field holds, as { value } or { error: 'empty' | 'number' | 'whole' }.  `entry`: { text, unknown }. */
export function readEntry(attribute, { text = '', unknown = false }, mark) {
    if (unknown) return { value: null };
    if (!text.trim()) return { error: 'empty' };
    if (!isNumber(attribute)) return { value: text };
    const value = readNumber(text, mark);
    if (attribute.type === 'integer') return Number.isSafeInteger(value) ? { value } : { error: 'whole' };
    return value === null || !Number.isFinite(value) ? { error: 'number' } : { value };
}

/** The other way round, to show a field that was filled before. */
export function entryOf(attribute, answer, mark) {
    if (!answer || answer.refuse || answer.value === undefined) return { text: '', unknown: false };
    if (answer.value === null) return { text: '', unknown: true };
    const text = String(answer.value);
    return { text: isNumber(attribute) ? text.replace('.', mark) : text, unknown: false };
}

/** Does a typical value count where a number is not known?  Else it counts that it is not known. */
export const countsTypical = (attribute) => isNumber(attribute) && !attribute.as_given;

/** The end of the domain that counts instead of a value outside it; null for values inside, and where all count. */
export function countsAs(attribute, value) {
    if (!isNumber(attribute) || attribute.as_given || typeof value !== 'number') return null;
    if (value < attribute.min) return attribute.min;
    return value > attribute.max ? attribute.max : null;
}

export const sameAnswer = (a, b) => !!a && !!b && !a.refuse === !b.refuse && a.value === b.value;

/** employment_years → "employment years" */
export const readable = (name) => name.replace(/[_.]+/g, ' ').trim() || name;
