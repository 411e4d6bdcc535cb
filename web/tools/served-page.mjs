// A Vite plugin for a page that a server hands out: NAME.html, NAME.js and NAME.css, always with these names, side by
// side and referring to each other by name only.  Nothing is written into the HTML: the server forbids scripts and
// styles inside it.  The licences of the packages stand at the top of the script.
import { licences } from './one-page.mjs';

export function servedPage(name) {
    return {
        name: 'served-page',
        enforce: 'post',
        apply: 'build',
        generateBundle(_, bundle) {
            const parts = Object.values(bundle);
            const page = parts.find((part) => part.fileName === 'index.html');
            const script = parts.find((part) => part.type === 'chunk');
            const style = parts.find((part) => part.fileName.endsWith('.css'));
            if (!page || !script || !style || parts.length !== 3)
                throw new Error(`cannot make one page of ${parts.map((part) => part.fileName).join(', ')}`);

            const html = page.source
                .replace(/\s*<script type="module"[^>]*><\/script>/, '')
                .replace(/\s*<link rel="stylesheet"[^>]*>/, '')
                .replace('</head>', `  <link rel="stylesheet" href="${name}.css">\n  </head>`)
                .replace('</body>', `  <script type="module" src="${name}.js"></script>\n  </body>`);
            const code = `/*\n${licences(Object.keys(script.modules)).replace(/\*\//g, '* /')}*/\n${script.code}`;
            const css = style.source;
            for (const part of parts) delete bundle[part.fileName];
            for (const [kind, source] of Object.entries({ html, js: code, css }))
                this.emitFile({ type: 'asset', fileName: `${name}.${kind}`, source });
        },
    };
}
