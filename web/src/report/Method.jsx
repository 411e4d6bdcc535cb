// Method, assumptions, remarks about the data, provenance: what one must know to trust the figures, in plain words.
import { Pairs } from '../parts/Pairs.jsx';
import { count, list, percent, short } from '../parts/format.js';
import { attributesOf, hasCosts, isOwnTest, modelName } from './audit.js';
import { people } from './words.js';

const RULES = {
    stop: 'the attribute whose answer is most likely to complete a proof',
    margin: 'the attribute that is expected to bring a proof closest',
    entropy: 'the attribute after whose answer the decision is expected to be least uncertain',
    montecarlo: 'like “entropy”, estimated from random draws',
};

function calibratedOn({ calibration }) {
    if (!calibration) return ' on people the model was not trained on';
    const level = percent(1 - calibration.alpha, Number.isInteger(Math.round(1e6 * calibration.alpha) / 1e4) ? 0 : 2);
    return ` on ${people(calibration.people)} the model was not trained on, with bounds that hold together with a confidence of ${level}`;
}

export function Method({ audit }) {
    const deltas = audit.results.map(({ delta }) => delta);
    const rules = [...new Set(audit.results.map(({ rule }) => rule))];
    return (
        <section aria-labelledby="method">
            <h2 id="method">Method and assumptions</h2>
            <h3>How it was counted</h3>
            <ul>
                <li>
                    Attributes are public (taken as known) or sensitive. For every person in the file, the questionnaire
                    was played through: sensitive attributes are asked for one at a time, and asking stops as soon as
                    the decision is settled. What was asked is counted.
                </li>
                {deltas.includes(0) && (
                    <li>
                        At δ = 0 “settled” means <b>proven</b>: whatever the values of the attributes that were not
                        asked for, within the domains written in the model file, the model decides the same. Nothing is
                        assumed about people.
                    </li>
                )}
                {deltas.some((delta) => delta > 0) && (
                    <li>
                        At δ &gt; 0 “settled” means proven, or <b>likely</b>: given what is known, the decision has a
                        probability of at least 1 − δ. This takes the attributes as normally distributed with the mean and
                        covariance of the training data, which is convenient and not exactly true; therefore “Is the
                        promise kept?” compares what was promised with what happened.
                    </li>
                )}
                {audit.results.some(({ calibrated }) => calibrated) && (
                    <li>
                        The model is <b>calibrated</b>: at δ &gt; 0 asking stops only at probabilities that were seen to
                        keep the promise{calibratedOn(audit.model)}; where none was, only a proof ends the questions.
                        This is about people like those, all together: not about a single group of them, nor about
                        people who refuse an answer.
                    </li>
                )}
                <li>
                    What is asked next, by the rule {list(rules.map((rule) => `“${rule}”`))}:{' '}
                    {list(rules.map((rule) => RULES[rule] ?? rule))}. The choice looks at answers already given, never
                    at values that were not given.
                </li>
                {audit.opt && (
                    <li>
                        Opt is the smallest set of sensitive attributes that proves a person’s decision, found with all
                        values known. No questionnaire can do that; it shows how much room for improvement is left.
                        {audit.opt.inexact > 0 &&
                            ` For ${count(audit.opt.inexact)} of the people it is not certain that no smaller set exists.`}
                    </li>
                )}
                <li>
                    Intervals have a level of 95 %: Clopper–Pearson for shares, 1.96 standard errors for mean numbers.
                    They treat the people in the file as a random sample of those to come.
                </li>
            </ul>
            <h3>What is not said here</h3>
            <ul>
                <li>
                    Whether the model is right or fair. The yardstick is the model’s own decision with everything given
                    (“same decision”); only “right” compares with known outcomes.
                </li>
                <li>
                    How people of another kind would fare. The figures are about the people of this file, this model and
                    these settings.
                </li>
                <li>
                    That an attribute has no influence. “Never needed” means that for these people the decision was
                    settled before it came to be asked for.
                </li>
                <li>
                    Anything about a single person. This page holds counts and means only: no row of the file is in
                    it{audit.groups ? ', and of its values only the names of groups' : ', and no value'}.
                </li>
            </ul>
        </section>
    );
}

const PARTS = {
    all: null,
    held_out: 'the rows held out when the model was trained: people it was not trained on',
    train: 'the rows the model was trained on: figures may be rosier than for other people',
};

function remarksOf({ cells, people: all, labelled }) {
    const some = (n, one, many) => n > 0 && `${count(n)} ${n === 1 ? one : many}`;
    return [
        some(
            cells.clipped,
            'value lay outside its domain and was moved to the nearest end.',
            'values lay outside their domain and were moved to the nearest end.',
        ),
        some(cells.missing, 'value was missing.', 'values were missing.'),
        some(
            cells.unknown,
            'category was unknown to the model and taken as missing.',
            'categories were unknown to the model and taken as missing.',
        ),
        some(
            all - labelled,
            'person has no known outcome and does not count in the accuracy.',
            'people have no known outcome and do not count in the accuracy.',
        ),
    ].filter(Boolean);
}

export function Provenance({ audit }) {
    const { data = {}, model } = audit;
    const remarks = remarksOf(audit);
    const hashes = data.sha256 ?? [];
    const code = (text) => <code>{text}</code>;
    const pairs = [
        [
            'People',
            `${count(audit.people)} rows${PARTS[data.part] ? `, ${PARTS[data.part]}` : ''}${isOwnTest(audit) ? '; it was calibrated with some or all of them' : ''}`,
        ],
        data.files?.length && [data.files.length > 1 ? 'Files' : 'File', data.files.join(', ')],
        ['Data SHA-256', hashes.length ? hashes.map((hash) => <div key={hash}>{code(hash)}</div>) : 'not known'],
        ['Model', modelName(model.kind)],
        ['Model SHA-256', code(model.sha256)],
        model.calibration && ['Calibration SHA-256', code(model.calibration.sha256)],
        [
            'Sensitive',
            attributesOf(audit)
                .map(({ name, cost }) => (hasCosts(audit) ? `${name} (cost ${short(cost)})` : name))
                .join(', ') || 'none',
        ],
        ['δ', audit.results.map(({ delta }) => short(delta)).join(', ')],
        audit.command && ['Command', code(audit.command)],
        audit.date && ['Date', audit.date],
        ['Tacit', audit.made_by],
    ].filter(Boolean);
    return (
        <section class="settings" aria-labelledby="provenance">
            <h2 id="provenance">Data and provenance</h2>
            {remarks.length > 0 && (
                <ul>
                    {remarks.map((remark) => (
                        <li key={remark}>{remark}</li>
                    ))}
                </ul>
            )}
            <Pairs pairs={pairs} />
            {audit.command && (
                <p class="note">
                    The command leaves out folders and what cannot change the figures (names of output files, number of
                    threads). The same command, model and data give this page again, byte for byte.
                </p>
            )}
        </section>
    );
}
