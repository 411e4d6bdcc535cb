// One person's way through the questions.
//
// The server keeps nothing: every reply brings a token that stands for all answers so far.  Here is the list of
// replies, each with the answer that was given to it, so that going back is using an earlier token.
//
//   known   public values, { name: value }; null before the session starts
//   steps   [{ reply, answer }]; the last one has no answer yet
//   spare   { attribute: answer }: given earlier and perhaps needed again, after an earlier answer was changed or the
//           session was lost.  They are sent when their question comes up, and erased with the decision.
//   preset  names of the public values that came from the embedding site
//   outcome what is left when the decision is shown: no answers, and one token, for the receipt
//   lang    the language chosen; null: the browser's
import { sendAnswer, startSession } from './api.js';
import { held, sameAnswer } from './values.js';

export const emptyJourney = (lang = null) => ({ known: null, preset: [], steps: [], spare: {}, outcome: null, lang });

export const lastStep = ({ steps }) => steps[steps.length - 1];
export const isDecided = (journey) => lastStep(journey)?.reply.status === 'decided';

/** The answers in the order in which they were given. */
export const answersOf = ({ steps }) => steps.filter(({ answer }) => answer).map(({ answer }) => answer);

const bare = ({ attribute, value, refuse }) => (refuse ? { attribute, refuse: true } : { attribute, value });

const asSpare = (answers) => Object.fromEntries(answers.map((answer) => [answer.attribute, bare(answer)]));

// Sends `answer` to the last step.
async function advance(journey, answer) {
    const { reply } = lastStep(journey);
    const next = await sendAnswer(reply.token, bare(answer));
    const { [answer.attribute]: _, ...spare } = journey.spare;
    return {
        ...journey,
        spare,
        steps: [...journey.steps.slice(0, -1), { reply, answer: bare(answer) }, { reply: next, answer: null }],
    };
}

/**
 * Sends what was answered before for as long as it is asked for; `keep` is told of every step, so that trouble in
 * between loses nothing.  Resolves to { journey, reused, dropped }.
 */
async function replay(journey, keep) {
    let reused = 0;
    while (!isDecided(journey)) {
        const answer = held(journey.spare, lastStep(journey).reply.next.name);
        if (!answer) return { journey, reused, dropped: 0 };
        journey = await advance(journey, answer);
        keep(journey);
        reused++;
    }
    const dropped = Object.keys(journey.spare).length;
    journey = { ...journey, spare: {} };
    keep(journey);
    return { journey, reused, dropped };
}

/** Starts, or starts again with other public values or after the session was lost: answers given are used again. */
export async function begin(journey, known, preset, keep) {
    const spare = { ...asSpare(answersOf(journey)), ...journey.spare };
    const reply = await startSession(known);
    const started = { ...journey, known, preset, spare, steps: [{ reply, answer: null }] };
    keep(started);
    return replay(started, keep);
}

/** Answers the question of step `at`, which may have been answered before. */
export async function answerStep(journey, at, answer, keep) {
    const step = journey.steps[at];
    if (sameAnswer(step.answer, answer)) return { journey, reused: 0, dropped: 0 };
    const later = journey.steps.slice(at + 1).filter((one) => one.answer);
    const earlier = {
        ...journey,
        spare: { ...journey.spare, ...asSpare(later.map((one) => one.answer)) },
        steps: [...journey.steps.slice(0, at), { reply: step.reply, answer: null }],
    };
    const answered = await advance(earlier, answer);
    keep(answered);
    return replay(answered, keep);
}

/** An answer that the server could not take, to be sent again when it can: also instead of an earlier one. */
export const setAside = (journey, answer) => ({ ...journey, spare: { ...journey.spare, ...asSpare([answer]) } });

/** The decision is shown: answers go, and all tokens but the last. */
export function conclude(journey) {
    const { decision, not_asked, not_known, refused, token } = lastStep(journey).reply;
    return { ...emptyJourney(journey.lang), outcome: { decision, not_asked, not_known, refused, token } };
}
