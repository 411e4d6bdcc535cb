// Nothing is left.
import { Title } from './Frame.jsx';
import { useWords } from './words.js';

export function Erased({ way }) {
    const { t } = useWords();
    return (
        <>
            <Title>{t.erased.title}</Title>
            <p class="lead">{t.erased.text}</p>
            <p class="actions">
                <button type="button" onClick={() => way.show({ page: 'start' })}>
                    {t.erased.again}
                </button>
            </p>
        </>
    );
}
