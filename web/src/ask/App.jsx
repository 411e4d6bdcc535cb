// Which page is shown.
import { useEffect, useState } from 'preact/hooks';
import { getModel, getModels } from './api.js';
import { Check } from './Check.jsx';
import { Done } from './Done.jsx';
import { Erased } from './Erased.jsx';
import { Frame } from './Frame.jsx';
import { Lost } from './Lost.jsx';
import { Models } from './Models.jsx';
import { Public } from './Public.jsx';
import { Question } from './Question.jsx';
import { Start } from './Start.jsx';
import { browserLanguage } from './strings.js';
import { Unreachable } from './Unreachable.jsx';
import { useJourney } from './useJourney.js';
import { usePreset } from './usePreset.js';
import { Words, wordsOf } from './words.js';

// What is served here: one model, or a list of them.  Behind a proxy, an address that looks like the root may be that of
// one model, where no list is known.
async function lookAround() {
    if (/\/m\/[^/]+\/$/.test(location.pathname)) return { model: await getModel() };
    const list = await getModels().catch((trouble) => {
        if (trouble.code !== 'not-found') throw trouble;
        return null;
    });
    return list && list.models.length !== 1 ? { models: list.models } : { model: await getModel() };
}

function usePlace() {
    const [place, setPlace] = useState({});
    const look = () =>
        lookAround().then(
            (found) => (setPlace(found), found),
            (trouble) => (setPlace({ trouble }), {}),
        );
    useEffect(() => void look(), []);
    return { ...place, look };
}

const PAGES = { start: Start, public: Public, question: Question, check: Check, done: Done };

export function App() {
    const { model, models, trouble, look } = usePlace();
    const way = useJourney(model);
    const preset = usePreset(model);
    const lang = way.journey.lang ?? browserLanguage();
    const { view } = way;

    let name = 'loading';
    let page = null;
    if (view.page === 'erased') [name, page] = ['erased', <Erased way={way} />];
    else if (trouble) [name, page] = ['unreachable', <Unreachable trouble={trouble} retry={look} />];
    else if (models) [name, page] = ['models', <Models models={models} />];
    else if (model && way.trouble?.kind === 'lost') [name, page] = ['lost', <Lost way={way} look={look} />];
    else if (model) {
        const Page = PAGES[view.page];
        const reply = way.journey.steps[view.at]?.reply;
        name = `${view.page} ${view.at ?? ''} ${reply?.token ?? ''}`;
        page = <Page key={name} model={model} way={way} preset={preset} />;
    }
    return (
        <Words.Provider value={wordsOf(lang, model)}>
            <Frame name={name} model={model} way={way}>
                {page}
            </Frame>
        </Words.Provider>
    );
}
