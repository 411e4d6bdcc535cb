// The end: what was not asked, then the decision and how sure it is, then the receipt, which is made when it is wanted.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Trouble, getReceipt } from './api.js';
import { Title } from './Frame.jsx';
import { DoneNotices } from './Notices.jsx';
import { askable } from './values.js';
import { useWords } from './words.js';

function saveFile(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000); // some browsers read it late
}

// What came of asking for it.
function wordsFor(t, { kind, wait }) {
    if (kind === 'lost') return t.done.tooLate;
    return kind === 'busy' ? t.trouble.busy(wait) : kind === 'network' ? t.trouble.network : t.trouble.server;
}

function Receipt({ token, minutes }) {
    const { t } = useWords();
    const [busy, setBusy] = useState(false);
    const [said, setSaid] = useState(null); // a Trouble, or true when all went well
    const here = useRef(true); // nobody who has erased everything gets a file
    useEffect(
        () => () => {
            here.current = false;
        },
        [],
    );
    const save = async () => {
        if (busy) return;
        setBusy(true);
        setSaid(null);
        try {
            const receipt = await getReceipt(token);
            if (!here.current) return;
            saveFile('tacit-receipt.json', `${JSON.stringify(receipt, null, 2)}\n`);
            setSaid(true);
        } catch (error) {
            if (!(error instanceof Trouble)) throw error;
            setSaid(error);
        } finally {
            setBusy(false);
        }
    };
    return (
        <section>
            <h2>{t.done.receiptTitle}</h2>
            <p>{t.done.receipt(minutes)}</p>
            <p class="actions">
                <button type="button" onClick={save} aria-disabled={busy}>
                    {t.done.download}
                </button>
                <span role="status">{said && (said === true ? t.done.downloaded : wordsFor(t, said))}</span>
            </p>
        </section>
    );
}

export function Done({ model, way }) {
    const { t, list, percent, labelOf, nameOf, decided, outcome } = useWords();
    const { decision, not_asked, not_known = [], refused, token } = way.journey.outcome;
    const named = (names) => list(names.map((name) => nameOf({ name })));
    const all = askable(model, 'sensitive');
    const notAsked = all.filter(({ name }) => not_asked.includes(name));
    const [sure, why] = t.done.sure[decision.status];

    return (
        <>
            <Title>{t.done.notAsked(notAsked.length, all.length)}</Title>
            {notAsked.length > 0 && (
                <>
                    <p class="lead">{t.done.notAskedLead(notAsked.length)}</p>
                    <ul class="questions untold">
                        {notAsked.map((attribute) => (
                            <li key={attribute.name}>{labelOf(attribute)}</li>
                        ))}
                    </ul>
                </>
            )}
            {not_known.length > 0 && <p>{t.done.notKnown(named(not_known))}</p>}
            {refused.length > 0 && <p>{t.done.refused(named(refused))}</p>}
            <section class="decision" aria-labelledby="decision-title">
                <h2 id="decision-title">{t.done.title}</h2>
                <p class="label">
                    <span class="help">{decided()}</span> {outcome(decision.label)}
                </p>
                <h3>
                    {t.done.sureTitle} <span class="sure">{sure}</span>
                </h3>
                <p>{why(percent(decision.probability))}</p>
                <p class="help">{t.done.model}</p>
            </section>
            <DoneNotices />
            <Receipt token={token} minutes={model.token_minutes} />
            <section>
                <h2>{t.done.eraseTitle}</h2>
                <p>{t.done.eraseNote}</p>
                <p class="actions">
                    <button type="button" class="primary" onClick={way.leave}>
                        {t.done.erase}
                    </button>
                </p>
            </section>
        </>
    );
}
