// The questionnaire in a real browser, asked by the real server about models trained here.
//
//   node tests/ask_page.mjs TACIT EXAMPLES [SHOTS]
//
// TACIT is the program, EXAMPLES the folder of examples, whose embed/ is tried too; SHOTS, if given, a folder for
// pictures of every kind of page.  Exits with 77 when there is no Chromium.
import { cases } from './ask_cases.mjs';
import { journeys } from './ask_journeys.mjs';
import { looks } from './ask_looks.mjs';
import { names } from './ask_names.mjs';
import { notices } from './ask_notices.mjs';
import { both, close, loans } from './ask_world.mjs';
import { runCases } from './browser.mjs';

const code = await runCases({ ...journeys, ...cases, ...names, ...notices, ...looks });
await Promise.all([loans.stop(), both.stop()]);
await close();
process.exit(code);
