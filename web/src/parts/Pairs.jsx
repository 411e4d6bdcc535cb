// Terms and what they are: [[term, text], …].

export function Pairs({ pairs }) {
    return (
        <dl class="pairs">
            {pairs.flatMap(([term, text]) => [<dt key={term}>{term}</dt>, <dd key={`${term}:`}>{text}</dd>])}
        </dl>
    );
}
