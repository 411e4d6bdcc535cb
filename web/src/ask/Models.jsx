// Several questionnaires on one server.
import { Title } from './Frame.jsx';
import { readable } from './values.js';
import { useWords } from './words.js';

export function Models({ models }) {
    const { t } = useWords();
    return (
        <>
            <Title>{t.models.title}</Title>
            <p class="lead">{models.length ? t.models.lead : t.models.none}</p>
            <ul class="models">
                {models.map(({ name }) => (
                    <li key={name}>
                        <a href={`m/${encodeURIComponent(name)}/`}>{readable(name)}</a>
                    </li>
                ))}
            </ul>
        </>
    );
}
