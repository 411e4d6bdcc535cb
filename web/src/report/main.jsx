// The report of an audit, to be read from top to bottom: what matters first, then the figures that back it, then how it
// was counted and from what.
import { render } from 'preact';
import '../parts/style.css';
import { Page } from '../parts/Page.jsx';
import { readData } from '../parts/data.js';
import { Method, Provenance } from './Method.jsx';
import { DropList, Glance } from './tables.jsx';
import { mainPromise, mainSentence, moreSentences, people } from './words.js';
import { Asked } from './figures/Asked.jsx';
import { Attributes } from './figures/Attributes.jsx';
import { Decisions, Leakage } from './figures/Price.jsx';
import { Failure } from './figures/Failure.jsx';
import { Groups } from './figures/Groups.jsx';

function Section({ id, title, children }) {
    return (
        <section aria-labelledby={`section-${id}`}>
            <h2 id={`section-${id}`}>{title}</h2>
            <div class="figures">{children}</div>
        </section>
    );
}

function InShort({ audit }) {
    return (
        <section class="headline" aria-labelledby="section-short">
            <h2 id="section-short" class="hidden">
                In short
            </h2>
            <p class="hero">{mainSentence(audit)}</p>
            {audit.sensitive.length > 0 && <p class="lead">{mainPromise(audit.results[0])}</p>}
            <ul>
                {moreSentences(audit).map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                ))}
            </ul>
        </section>
    );
}

function Report({ audit }) {
    const n = audit.sensitive.length;
    const some = n > 0;
    const file = audit.data?.files?.length === 1 ? audit.data.files[0] : null;
    const promised = audit.results.some(({ failure }) => failure.people > 0);
    return (
        <Page
            title={`How much of what is asked is needed${file ? `: ${file}` : ''}`}
            lead={`${people(audit.people)}, ${n} sensitive attribute${n === 1 ? '' : 's'}. Counts and means only: nobody’s values are in this page.`}
            version={audit.made_by}
        >
            <InShort audit={audit} />
            <div class="figures">
                <Glance audit={audit} />
            </div>
            {some && (
                <Section id="asked" title="How much people are asked for">
                    <Asked audit={audit} />
                </Section>
            )}
            {some && (
                <Section id="attributes" title="Which attributes are needed">
                    <DropList audit={audit} />
                    <Attributes audit={audit} />
                </Section>
            )}
            {some && (
                <Section id="price" title="The price of certainty">
                    <Leakage audit={audit} />
                    <Decisions audit={audit} />
                </Section>
            )}
            {some && promised && (
                <Section id="promise" title="Is the promise kept?">
                    <Failure audit={audit} />
                </Section>
            )}
            {some && audit.groups && (
                <Section id="groups" title={`Who carries the burden: by ${audit.groups.column}`}>
                    <Groups audit={audit} />
                </Section>
            )}
            <Method audit={audit} />
            <Provenance audit={audit} />
        </Page>
    );
}

const { data, problem } = readData('tacit-audit', 1);
if (data) document.title = `${data.data?.files?.[0] ?? 'Audit'} – Tacit audit`;
render(
    data ? (
        <Report audit={data} />
    ) : (
        <Page title="Audit">
            <p>{problem}</p>
        </Page>
    ),
    document.getElementById('page'),
);
