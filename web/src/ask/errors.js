// Mistakes in this page itself.  They are told to the person and sent to nobody.  Written without components: whatever
// broke, this must work.
import { LANGUAGES } from './strings.js';

function tell(message) {
    const { trouble } = LANGUAGES[document.documentElement.lang] ?? LANGUAGES.en;
    const box = document.createElement('div');
    box.className = 'broken';
    box.setAttribute('role', 'alert');
    const words = document.createElement('p');
    words.textContent = trouble.script;
    const detail = document.createElement('p');
    detail.className = 'detail';
    detail.textContent = message;
    const reload = document.createElement('button');
    reload.textContent = trouble.reload;
    reload.addEventListener('click', () => location.reload());
    box.append(words, detail, reload);
    document.querySelector('.broken')?.remove();
    document.body.prepend(box);
}

export function reportErrors() {
    addEventListener('error', (event) => tell(event.message || 'error'));
    addEventListener('unhandledrejection', (event) => tell(String(event.reason)));
}
