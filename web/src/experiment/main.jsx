// The page of an experiment: what the numbers say, the figures of every model, the settings.
import { render } from 'preact';
import '../parts/style.css';
import { Page } from '../parts/Page.jsx';
import { Pairs } from '../parts/Pairs.jsx';
import { count, list, ranges, short } from '../parts/format.js';
import { readData } from '../parts/data.js';
import { headline } from './headline.js';
import { modelName } from './summary.js';
import { Accuracy, Leakage } from './figures/Lines.jsx';
import { AskedByDelta, CoreSets } from './figures/Histograms.jsx';
import { Failure } from './figures/Failure.jsx';
import { Gap } from './figures/Gap.jsx';
import { Grid } from './figures/Grid.jsx';

function InShort({ models, settings }) {
    return (
        <section class="headline" aria-labelledby="in-short">
            <h2 id="in-short">In short</h2>
            {models.map((model) => (
                <div key={model.model}>
                    <h3>{modelName(model, settings)}</h3>
                    <ul>
                        {headline(model).map((sentence) => (
                            <li key={sentence}>{sentence}</li>
                        ))}
                    </ul>
                </div>
            ))}
        </section>
    );
}

// Term, meaning, and the method that must have run for it to matter.
const TERMS = [
    ['|S|', 'number of sensitive attributes, drawn at random in each repetition; all others are known'],
    [
        'δ',
        'chance that one is willing to take that the decision is another one than with all values; at 0 it is proven not to be',
    ],
    ['leakage', 'mean number of sensitive attributes that a person is asked for'],
    ['all asked', 'the usual practice: everything sensitive is asked', 'baseline'],
    ['paper’s rule', 'asks next what lowers the expected entropy of the decision most', 'paper'],
    ['Tacit', 'at δ = 0 asks next what brings a proof nearest, above 0 what the paper’s rule asks', 'tacit'],
    [
        'Opt',
        'the smallest set of attributes that proves the decision, found with all values known: a bound, not a way to ask',
        'opt',
    ],
];

function Terms({ methods }) {
    return (
        <section class="terms" aria-labelledby="terms">
            <h2 id="terms">Terms</h2>
            <Pairs pairs={TERMS.filter(([, , method]) => !method || methods.includes(method))} />
        </section>
    );
}

function ModelFigures({ model, settings }) {
    const name = modelName(model, settings);
    const each = (test) => model.cells.every((cell) => cell.methods.some(test));
    const shared = { model, name, methods: settings.methods, reps: settings.repetitions };
    return (
        <section aria-labelledby={`model-${model.model}`}>
            <h2 id={`model-${model.model}`}>{name}</h2>
            <div class="figures">
                <Accuracy {...shared} />
                <Leakage {...shared} />
                {each((entry) => entry.method === 'opt') && <CoreSets {...shared} />}
                {model.cells.some((cell) => cell.gap) && <Gap {...shared} />}
                {each((entry) => entry.method === 'paper' || entry.method === 'tacit') && <AskedByDelta {...shared} />}
                {each((entry) => entry.failure) && <Failure {...shared} />}
                {model.cells.some((cell) => cell.grid) && <Grid {...shared} />}
            </div>
        </section>
    );
}

function settingPairs({ data, settings, tacit }) {
    const networks = settings.models.includes('mlp');
    const trees = settings.models.includes('trees');
    const searched = [networks && 'networks', trees && 'trees'].filter(Boolean);
    const usual = (n) => (n ? short(n) : 'as tacit fit has it');
    const steps = `${settings.adam ? 'Adam' : 'SGD'}, rate ${short(settings.rate)}, batch ${settings.batch}, ${settings.epochs} epochs`;
    const everyone = (n, none) => (n ? `${count(n)} people per repetition and size` : none);
    return [
        ['Data', data.file],
        ['SHA-256', <code>{data.sha256}</code>],
        data.source && ['Source', data.source],
        data.licence && ['Licence', data.licence],
        ['Rows', count(data.rows)],
        ['Attributes', `${data.attributes.length} (${data.inputs} model inputs): ${data.attributes.join(', ')}`],
        ['Label', `${data.label}, one of ${list(data.classes)}`],
        ['Models', settings.models.join(', ')],
        ['Methods', settings.methods.join(', ')],
        ['Sizes |S|', ranges(settings.sizes)],
        ['δ', settings.deltas.map(short).join(', ')],
        ['Repetitions', count(settings.repetitions)],
        ['Seed', settings.seed],
        ['Test share', short(settings.test_share)],
        networks && ['Hidden layers', settings.hidden],
        networks && [
            'Training',
            `${steps}, momentum ${short(settings.momentum)}, ${settings.patience ? `patience ${settings.patience}` : 'no early stop'}`,
        ],
        trees && ['Trees', usual(settings.tree_count)],
        trees && ['Depth of trees', usual(settings.tree_depth)],
        trees && ['Rate of trees', usual(settings.tree_rate)],
        searched.length && [`Opt of ${list(searched)}`, everyone(settings.opt_people, 'everybody')],
        networks && ['Grid test', everyone(settings.grid_people, 'not run')],
        ['Tacit', tacit],
    ].filter(Boolean);
}

function Experiment({ summary }) {
    const { data, settings, models, tacit } = summary;
    const lead = `${count(data.rows)} people, ${data.attributes.length} attributes, ${data.classes.length} classes. ${count(settings.repetitions)} repetition${settings.repetitions === 1 ? '' : 's'}, |S| = ${ranges(settings.sizes)}.`;
    return (
        <Page title={`${data.title || data.file}: how many attributes a decision needs`} lead={lead} version={tacit}>
            <div class="opening">
                <InShort models={models} settings={settings} />
                <Terms methods={settings.methods} />
            </div>
            {models.map((model) => (
                <ModelFigures key={model.model} model={model} settings={settings} />
            ))}
            <section class="settings" aria-labelledby="settings">
                <h2 id="settings">Settings and provenance</h2>
                <Pairs pairs={settingPairs(summary)} />
            </section>
        </Page>
    );
}

const { data, problem } = readData('tacit-experiment', 1);
if (data) document.title = `${data.data.title || data.data.file} – Tacit experiment`;
render(
    data ? (
        <Experiment summary={data} />
    ) : (
        <Page title="Experiment">
            <p>{problem}</p>
        </Page>
    ),
    document.getElementById('page'),
);
