// Which page is shown, and its place in the browser's history.  An entry of the history says which page it is and,
// for a question, which step: { page, at }.  Nothing that was answered is in it, nor in the address.
import { isDecided } from './journey.js';

/** The page on which the person has something to do. */
export function furthest(journey) {
    if (journey.outcome) return { page: 'done' };
    if (!journey.steps.length) return { page: 'start' };
    return isDecided(journey) ? { page: 'check' } : { page: 'question', at: journey.steps.length - 1 };
}

/** The page that an entry of the history stands for now, when answers may have been changed or erased since. */
export function fit(entry, journey) {
    if (journey.outcome) return { page: 'done' };
    switch (entry?.page) {
        case 'start':
        case 'public':
            return { page: entry.page };
        case 'question':
            if (journey.steps[entry.at]?.reply.status === 'open') return { page: 'question', at: entry.at };
            break;
        case 'erased':
            if (!journey.steps.length) return { page: 'erased' };
    }
    return furthest(journey);
}

/** The page to begin with when this one is opened or loaded again. */
export function opening(entry, journey) {
    const view = fit(entry, journey);
    return view.page === 'erased' ? { page: 'start' } : view;
}

export const samePage = (a, b) => a.page === b.page && a.at === b.at;

/** Moves on; nothing happens when the page is shown already. */
export function enter(view, { replace = false } = {}) {
    const { page, at, depth = 0 } = history.state ?? {};
    if (replace || page === undefined) history.replaceState({ ...view, depth }, '');
    else if (!samePage(view, { page, at })) history.pushState({ ...view, depth: depth + 1 }, '');
}

/** Is there a page of ours to go back to? */
export const canGoBack = () => (history.state?.depth ?? 0) > 0;
