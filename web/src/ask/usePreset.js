// Public values from the site that embeds this page.  The page says that it is ready; its parent, and nobody else, may
// then send { tacit: 'public', public: { NAME: value, … } }.  Who may be the parent, the server decides.
import { useEffect, useState } from 'preact/hooks';

const isValue = (value) => value === null || typeof value === 'string' || Number.isFinite(value);

export function usePreset(model) {
    const [sent, setSent] = useState({});
    useEffect(() => {
        if (window.parent === window) return undefined;
        const hear = ({ source, data }) => {
            if (source === window.parent && data?.tacit === 'public') setSent(Object(data.public));
        };
        addEventListener('message', hear);
        window.parent.postMessage({ tacit: 'ready' }, '*');
        return () => removeEventListener('message', hear);
    }, []);
    const known = (model?.attributes ?? []).filter(
        ({ name, role }) => role === 'public' && Object.hasOwn(sent, name) && isValue(sent[name]),
    );
    return Object.fromEntries(known.map(({ name }) => [name, sent[name]]));
}
