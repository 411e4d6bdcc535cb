// Public values from the site that embeds this page.  The page says that it is ready; its parent, and nobody else, may
// then send { tacit: 'public', public: { NAME: value, … } }.  Who may be the parent, the server decides.  What cannot be
// a value of its attribute is not taken: the person is asked, and not left alone with somebody else's mistake.
import { useEffect, useState } from 'preact/hooks';
import { isValueOf } from './values.js';

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
        (attribute) =>
            attribute.role === 'public' &&
            Object.hasOwn(sent, attribute.name) &&
            isValueOf(attribute, sent[attribute.name]),
    );
    return Object.fromEntries(known.map(({ name }) => [name, sent[name]]));
}
