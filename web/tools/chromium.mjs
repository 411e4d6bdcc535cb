// The Chromium of this machine: $CHROMIUM, or the first one on the PATH.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

export function findChromium() {
    if (process.env.CHROMIUM) return process.env.CHROMIUM;
    const folders = (process.env.PATH ?? '').split(delimiter);
    const names = ['chromium', 'chromium-browser', 'google-chrome'];
    return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
}

// Chromium's sandbox does not work for root.  Pictures are painted by the processor anyway: without a process that
// plays a graphics card a page costs a third less.
const FLAGS = ['--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];

export const launch = (path) => chromium.launch({ executablePath: path, args: FLAGS, timeout: 300_000 });
