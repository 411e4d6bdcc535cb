// The person's way (journey.js), the page shown (view.js) and what has to be said about them, as one hook.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble } from './api.js';
import { answerStep, begin, conclude, emptyJourney, setAside } from './journey.js';
import { erase, load, save } from './store.js';
import { countsAs } from './values.js';
import { canGoBack, enter, fit, furthest, opening } from './view.js';

function stored() {
    const journey = load();
    return Array.isArray(journey?.steps) ? { ...emptyJourney(), ...journey } : emptyJourney();
}

const sameValues = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// Answers of this round that counted as something else.
function clippings(model, pairs) {
    return pairs
        .map(([name, value]) => ({ attribute: model.attributes.find((one) => one.name === name), value }))
        .filter(({ attribute, value }) => attribute && countsAs(attribute, value) !== null)
        .map(({ attribute, value }) => ({ kind: 'clipped', attribute, end: countsAs(attribute, value) }));
}

export function useJourney(model) {
    const [journey, setJourney] = useState(stored);
    const [view, setView] = useState(() => opening(history.state, journey));
    const [notes, setNotes] = useState([]);
    const [trouble, setTrouble] = useState(null);
    const [busy, setBusy] = useState(false);
    const now = useRef(journey); // the journey as of now, for what outlives a rendering
    const working = useRef(false);
    const round = useRef(0); // grows when everything is erased: replies that were on their way come too late

    function keep(next) {
        now.current = next;
        save(next);
        setJourney(next);
    }

    function rest() {
        working.current = false;
        setBusy(false);
    }

    function show(next, options) {
        enter(next, options);
        setView(next);
        setNotes([]);
        setTrouble(null);
    }

    useEffect(() => {
        enter(view, { replace: true });
        const turn = ({ state }) => {
            setView(fit(state, now.current));
            setNotes([]);
            setTrouble(null);
        };
        addEventListener('popstate', turn);
        return () => removeEventListener('popstate', turn);
    }, []);

    /**
     * Does `work`, which talks to the server and resolves to { journey, reused, dropped }; then moves on.  An answer
     * that is `pending` while the session turns out to be lost is not typed in vain.
     */
    async function run(work, saidNow, pending) {
        if (working.current) return; // pressed twice
        working.current = true;
        const mine = round.current;
        const before = now.current;
        const keepMine = (next) => {
            if (mine === round.current) keep(next);
        };
        setBusy(true);
        try {
            const { reused, dropped } = await work(keepMine);
            if (mine !== round.current) return;
            show(furthest(now.current));
            setNotes([
                ...saidNow,
                ...(reused ? [{ kind: 'reused', n: reused }] : []),
                ...(dropped ? [{ kind: 'dropped', n: dropped }] : []),
            ]);
        } catch (error) {
            if (!(error instanceof Trouble)) throw error;
            if (mine !== round.current) return;
            if (now.current !== before) show(furthest(now.current));
            else if (error.kind === 'lost' && pending) keep(setAside(now.current, pending));
            setTrouble(error);
        } finally {
            if (mine === round.current) rest();
        }
    }

    return {
        journey,
        view,
        notes,
        trouble,
        busy,
        show,

        /** Starts with these public values, or starts again with them. */
        start: (known, preset) =>
            sameValues(known, now.current.known)
                ? show(furthest(now.current))
                : run((keepIt) => begin(now.current, known, preset, keepIt), clippings(model, Object.entries(known))),

        answer: (at, answer) =>
            run(
                (keepIt) => answerStep(now.current, at, answer, keepIt),
                answer.refuse ? [] : clippings(model, [[answer.attribute, answer.value]]),
                answer,
            ),

        /** The session is lost: a new one, with what was answered. */
        resume: (fresh) => {
            const { known, preset } = now.current;
            const still = Object.entries(known ?? {}).filter(([name]) => fresh.attributes.some((a) => a.name === name));
            return run((keepIt) => begin(now.current, Object.fromEntries(still), preset, keepIt), []);
        },

        speak: (lang) => keep({ ...now.current, lang }),

        back: () => (canGoBack() ? history.back() : show({ page: 'start' }, { replace: true })),

        /** Shows the decision; answers are erased, and all tokens but the last. */
        finish: () => {
            keep(conclude(now.current));
            show({ page: 'done' });
        },

        leave: () => {
            round.current++;
            rest();
            erase();
            now.current = emptyJourney(now.current.lang);
            setJourney(now.current);
            show({ page: 'erased' }, { replace: true });
        },
    };
}
