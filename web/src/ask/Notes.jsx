// What happened to answers, in words.
import { useWords } from './words.js';

export function Notes({ notes }) {
    const { t, shown, labelOf } = useWords();
    const said = {
        clipped: ({ attribute, end }) => t.notes.clipped(labelOf(attribute), shown(attribute, end)),
        dropped: ({ n }) => t.notes.dropped(n),
        reused: ({ n }) => t.notes.reused(n),
    };
    return notes.map((note, i) => <p key={i}>{said[note.kind](note)}</p>);
}
