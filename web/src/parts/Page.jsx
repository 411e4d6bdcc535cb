// The frame of every page.

export function Page({ title, lead, version, children }) {
    return (
        <>
            <header>
                <p class="brand">Tacit</p>
                <h1>{title}</h1>
                {lead && <p class="lead">{lead}</p>}
            </header>
            <main>{children}</main>
            <footer>
                <p>
                    Written by Tacit{version && ` ${version}`}. This page is one file: it fetches nothing and sends
                    nothing.
                </p>
            </footer>
        </>
    );
}
