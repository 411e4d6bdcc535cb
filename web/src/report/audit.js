// Reading an audit (docs/FORMATS.md).

/** "Rarely": asked of fewer people than this share. */
export const RARE = 0.05;

/** The results, smallest delta first. */
export const byDelta = (results) => [...results].sort((a, b) => a.delta - b.delta);

/** Sensitive attributes in the order of the schema: { name, question, cost }.  The question that Tacit makes from a name
 * says nothing new and is left out. */
export const attributesOf = (audit) =>
    audit.attributes.map(({ name, question, cost }) => ({
        name,
        question: question === `Please give: ${name}` ? '' : (question ?? ''),
        cost,
    }));

/** Do attributes cost different amounts, or other than 1? */
export const hasCosts = (audit) => attributesOf(audit).some(({ cost }) => cost !== 1);

/** Attributes with the people asked for them at each delta, least often asked first: at the smallest delta, then at
 * the next, then in the order of the schema. */
export function needs(audit) {
    const results = byDelta(audit.results);
    const all = attributesOf(audit).map((attribute) => ({
        ...attribute,
        asked: results.map(({ delta, people, asked_people }) => ({
            delta,
            people: asked_people[attribute.name],
            share: asked_people[attribute.name] / people,
        })),
    }));
    const compare = (a, b) => {
        const at = a.asked.findIndex((one, i) => one.people !== b.asked[i].people);
        return at < 0 ? 0 : a.asked[at].people - b.asked[at].people;
    };
    return all.sort(compare);
}

/** Share of a histogram's people at each number. */
export function sharesOf(histogram) {
    const all = histogram.reduce((a, b) => a + b, 0);
    return histogram.map((people, asked) => ({ asked, people, share: all ? people / all : 0 }));
}

/** Does the interval of observed failures lie above what was promised? */
export const isBroken = ({ failure }) => failure.people > 0 && failure.low > failure.promised;

/** Was the model calibrated with people of this audit? */
export const isOwnTest = ({ model }) => model.calibration?.same_people === true;

const MODEL_NAMES = { logistic: 'logistic regression', mlp: 'neural network' };
export const modelName = (kind) => MODEL_NAMES[kind] ?? kind;
