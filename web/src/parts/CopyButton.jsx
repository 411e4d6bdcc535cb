// "Copy as CSV": says so when it did, and when it could not.
import { useState } from 'preact/hooks';

// Browsers without the clipboard interface (older ones, pages opened from a file) still copy what is selected.
function copySelected(text) {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    try {
        return document.execCommand('copy');
    } finally {
        area.remove();
    }
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return copySelected(text);
    }
}

export function CopyButton({ text, what }) {
    const [state, setState] = useState('');
    const onClick = async () => {
        setState((await copy(text())) ? 'Copied' : 'The browser did not allow copying');
        setTimeout(() => setState(''), 2500);
    };
    return (
        <span class="copy">
            <button type="button" onClick={onClick} aria-label={`Copy as CSV: ${what}`}>
                Copy as CSV
            </button>
            <span role="status">{state}</span>
        </span>
    );
}
