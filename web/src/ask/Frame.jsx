// What surrounds every page: the way out, the language, what is to be said, and where the reader is put.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { LANGUAGES } from './strings.js';
import { Notes } from './Notes.jsx';
import { useWords } from './words.js';

/** The heading of a page; a new page begins with it, also for those who do not see it. */
export const Title = ({ children }) => (
    <h1 id="title" tabIndex={-1}>
        {children}
    </h1>
);

function LanguageSwitch({ lang, speak }) {
    return Object.keys(LANGUAGES)
        .filter((code) => code !== lang)
        .map((code) => (
            <button key={code} type="button" class="quiet" lang={code} onClick={() => speak(code)}>
                {LANGUAGES[code].language}
            </button>
        ));
}

export function Frame({ name, model, way, children }) {
    const { t, lang } = useWords();
    const shown = useRef('loading');

    useLayoutEffect(() => {
        document.documentElement.lang = lang;
    }, [lang]);
    useLayoutEffect(() => {
        const title = document.getElementById('title');
        document.title = title ? `${title.textContent} – ${t.brand}` : t.brand;
        if (name === shown.current) return;
        const first = shown.current === 'loading';
        shown.current = name;
        if (first || !title) return; // a page just opened begins at its top anyway
        scrollTo(0, 0);
        title.focus({ preventScroll: true });
    });

    return (
        <>
            <header>
                <p class="brand">{t.brand}</p>
                <div class="ways">
                    <LanguageSwitch lang={lang} speak={way.speak} />
                    {name !== 'models' && way.view.page !== 'erased' && (
                        <button type="button" class="quiet leave" onClick={way.leave}>
                            {t.leave}
                        </button>
                    )}
                </div>
            </header>
            <main aria-busy={way.busy || name === 'loading'}>
                <div role="status" class="notes">
                    {name === 'loading' ? t.loading : <Notes notes={way.notes} />}
                </div>
                {children}
            </main>
            <footer>{model && <p>Tacit {model.version}</p>}</footer>
        </>
    );
}
