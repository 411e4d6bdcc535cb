// A Vite plugin that turns what was built into one HTML file: scripts and styles move into the page, and the licences
// of the packages inside are put at its top.  The same input gives the same bytes.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The place for data; src/report/pages.h knows it too. */
export const PLACE = '__TACIT_DATA__';

// Package folders that modules of the bundle came from.
function packagesOf(moduleIds) {
    const folders = moduleIds
        .map((id) => /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1])
        .filter((folder) => folder && existsSync(join(folder, 'package.json')));
    return [...new Set(folders)].sort();
}

/** What the bundle contains: one notice per package; packages with the same terms share the text. */
export function licences(moduleIds) {
    const groups = new Map();
    for (const folder of packagesOf(moduleIds)) {
        const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
        if (!file) throw new Error(`${name} has no licence file`);
        const lines = readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
        const owners = lines.filter((line) => /^copyright /i.test(line)).join('; ');
        const terms = lines
            .filter((line) => !/^copyright /i.test(line))
            .join('\n')
            .trim();
        groups.set(terms, [...(groups.get(terms) ?? []), `${name} ${version}: ${owners}`]);
    }
    const texts = [...groups].map(([terms, names]) => `${names.join('\n')}\n\n${terms}`);
    return `This page contains:\n\n${texts.join('\n\n\n')}\n`;
}

const htmlComment = (text) => `<!--\n${text}-->\n`.replace(/--(?!>|\n)/g, '- -');

const inlineScript = (code) => `<script type="module">${code.replace(/<(?=\/script|!--)/gi, '\\x3C')}</script>`;

export function onePage(name) {
    return {
        name: 'one-page',
        enforce: 'post',
        apply: 'build',
        generateBundle(_, bundle) {
            const parts = Object.values(bundle);
            const page = parts.find((part) => part.fileName === 'index.html');
            const script = parts.find((part) => part.type === 'chunk');
            const styles = parts.filter((part) => part.fileName.endsWith('.css'));
            if (!page || parts.length !== 2 + styles.length)
                throw new Error(`cannot make one page of ${parts.map((part) => part.fileName).join(', ')}`);

            const html = page.source
                .replace(/\s*<script type="module"[^>]*><\/script>/, '')
                .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
                .replace('</head>', () => `<style>${styles.map((part) => part.source).join('')}</style>\n  </head>`)
                .replace('</body>', () => `${inlineScript(script.code.trim())}\n  </body>`)
                .replace('<html', () => `${htmlComment(licences(Object.keys(script.modules)))}<html`);
            if (html.split(PLACE).length !== 2)
                throw new Error(`${name}: ${PLACE} must stand in the page exactly once`);

            for (const part of parts) delete bundle[part.fileName];
            this.emitFile({ type: 'asset', fileName: `${name}.html`, source: html });
        },
    };
}
