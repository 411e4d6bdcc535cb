// One run builds one page: `vite build --mode NAME` reads src/NAME/index.html and writes dist/NAME.html, a single file
// with its scripts and styles inside.  The questionnaire, which a server hands out, is three files: ask.html, .js, .css.
import { fileURLToPath } from 'node:url';
import { onePage } from './tools/one-page.mjs';
import { servedPage } from './tools/served-page.mjs';

const SERVED = ['ask'];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

export default ({ mode }) => ({
    root: here(`src/${mode}`),
    esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
    build: {
        outDir: here('dist'),
        emptyOutDir: false, // the other pages live there
        target: 'es2020',
        modulePreload: false,
        cssCodeSplit: false,
        rollupOptions: { output: { inlineDynamicImports: true } },
    },
    plugins: [SERVED.includes(mode) ? servedPage(mode) : onePage(mode)],
});
