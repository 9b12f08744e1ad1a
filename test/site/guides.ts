import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { readGuides } from '#site/server/guide-pages.ts';
import { childOutput } from '#test/child-output.ts';
import { textOfMarkup } from '#test/markup.ts';
import { app, keys } from '#test/sample-app.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

interface Block {
  language: string;
  code: string;
}

const blocksOf = (source: string): Block[] =>
  [...source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));

/**
 * Node 20 treats a `.js` file without package.json as CommonJS and does not strip types. These options make later
 * versions behave the same.
 */
const NODE_20 = '--no-experimental-detect-module --no-strip-types';

/**
 * Commands by language of a block, which is saved in a folder without package.json. Variables exported in a shell block
 * are available to later blocks. TypeScript blocks have no type annotations, so that they also run as JavaScript.
 */
const RUNNERS: Readonly<Record<string, (file: string) => string>> = {
  js: (file) => `node ${NODE_20} ${file}`,
  ts: (file) => `cp ${file} ${file}.js; node ${NODE_20} ${file}.js > /dev/null; node ${file}`,
  python: (file) => `python3 ${file}`,
  sh: (file) => `source ${file}`,
};
/** Runs `npm run cli -- ...` of background commands, outside of the project's folder and as the shell's own child. */
const NPM = `npm() { while [ "$1" != -- ]; do shift; done; exec node ${join(PROJECT, 'app', 'cli', 'cli.ts')} "\${@:2}"; }`;
/** Languages of blocks that print the output of the commands before them. */
const OUTPUTS: ReadonlySet<string> = new Set(['json', 'text']);

/** Languages of blocks that need Windows. */
const WINDOWS: ReadonlySet<string> = new Set(['powershell', 'bat']);
/** Programs with a copy, which `test/sync/sync-guide.test.ts` runs. */
const COPIES = /sqlite/i;

/** Documents whose code blocks other tests run, with the clients and packages that they need. */
const EXAMPLES = [
  'clients/typescript/README.md',
  'clients/python/README.md',
  'docs/clients.md',
  'docs/exports.md',
  'docs/webhooks.md',
]
  .map((path) => readFileSync(join(PROJECT, path), 'utf8'))
  .join('\n');

/**
 * Runs blocks in sequence in one shell and a separate folder, and compares printed outputs with the form of the actual
 * output of the last command.
 */
async function runBlocks(
  t: ExecutionContext,
  blocks: readonly Block[],
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  t.deepEqual(
    blocks.filter(({ language }) => !(language in RUNNERS || OUTPUTS.has(language))),
    [],
  );
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, '.data'));
  await writeFile(join(folder, '.data', 'demo.json'), JSON.stringify({ keys }));
  const lines = [NPM];
  for (const [index, { language, code }] of blocks.entries()) {
    const file = `block-${index}.${language}`;
    if (OUTPUTS.has(language)) continue;
    await writeFile(join(folder, file), filled(code));
    lines.push(`echo '# ${index}' >&2`, `{ ${RUNNERS[language]?.(`./${file}`)}; } > out-${index}`);
  }
  // The Node version that runs the tests may not be in PATH.
  const env = { ...process.env, PATH: `${join(process.execPath, '..')}:${process.env.PATH}`, ...variables };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', lines.join('\n')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const { code, errors } = await childOutput(child);
  const outputOf = (index: number) => readFile(join(folder, `out-${index}`), 'utf8').catch(() => '');
  const outputs = await Promise.all(blocks.map((_, index) => outputOf(index)));
  t.is(code, 0, `${errors}\n${outputs.join('').slice(-2_000)}`);
  for (const [index, { language, code: printed }] of blocks.entries()) {
    const last = blocks.findLastIndex((block, at) => at < index && !OUTPUTS.has(block.language));
    const actual = outputs[last] ?? '';
    if (language === 'json')
      t.deepEqual(missingIn(JSON.parse(actual), JSON.parse(printed)), [], actual.slice(0, 2_000));
    if (language === 'text')
      for (const line of formOf(printed)) t.true(formOf(actual).includes(line), `${line} is not in\n${actual}`);
  }
}

/**
 * Returns the paths of an abridged JSON document that are missing or have another type in the complete one. Items of
 * lists are compared with the first one. Null is accepted for any type.
 */
function missingIn(actual: unknown, printed: unknown, path = ''): string[] {
  if (actual === null || printed === null) return [];
  if (Array.isArray(printed))
    return Array.isArray(actual)
      ? printed.flatMap((item) => (actual.length > 0 ? missingIn(actual[0], item, `${path}[]`) : [path]))
      : [path];
  if (typeof printed !== 'object') return typeof actual === typeof printed ? [] : [path];
  return Object.entries(printed).flatMap(([name, value]) => {
    const found = (actual as Readonly<Record<string, unknown>>)[name];
    return found === undefined ? [`${path}.${name}`] : missingIn(found, value, `${path}.${name}`);
  });
}

/** Lines of a text without figures, ids and names, which differ between samples. Proxies change the case of headers. */
const formOf = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/[\w.,:-]*\d[\w.,:-]*|\b[A-Z][a-z]*\b(?![-:])/g, '0')
        .replaceAll(/(0[\s,]*)+/g, '0 ')
        .toLowerCase()
        .trim(),
    );

/** Replaces the placeholders that a reader replaces. */
const filled = (code: string): string =>
  code
    .replaceAll('<API_KEY>', keys.pro)
    .replaceAll('<TEST_KEY>', keys.test)
    .replaceAll('<ADMIN_KEY>', keys.admin)
    .replaceAll('<RECEIVER_URL>', 'http://127.0.0.1:9100/');

// Runs every command of the guides in order, as a reader would after `npm start`.
for (const { slug, source } of readGuides('en')) {
  test(`every command of the guide "${slug}" runs and prints what the guide shows`, (t) => {
    const text = source.replaceAll('{{base_url}}', `${app.url}/v1`).replaceAll('{{site_url}}', app.url);
    const blocks = blocksOf(text).filter(
      ({ language, code }) => !WINDOWS.has(language) && !EXAMPLES.includes(code) && !COPIES.test(code),
    );
    return runBlocks(t, blocks, {
      API: `${app.url}/v1`,
      KEY: keys.pro,
    });
  });
}

test('the commands of the first guides run with a key of the Free plan', async (t) => {
  for (const { source } of readGuides('en').filter(({ slug }) => slug === 'quickstart'))
    await runBlocks(t, blocksOf(source), { API: `${app.url}/v1`, KEY: keys.free });
});

test('every command of the home page runs, and the programs print the response on the page', async (t) => {
  const { text: page } = await app.request('/');
  const blocks = [...page.matchAll(/data-language="(\w+)"[^>]*>[\s\S]*?<code>([\s\S]*?)<\/code>/g)].map(
    ([, language = '', code = '']) => ({ language, code: textOfMarkup(code) }),
  );
  t.deepEqual(
    blocks.map(({ language }) => language),
    ['sh', 'ts', 'python', 'prompt', 'json'],
  );
  await runBlocks(
    t,
    blocks.filter(({ language }) => language !== 'prompt'),
    {},
  );
});

test('the Arabic guides have the same sections and commands as the English guides', (t) => {
  const [english, arabic] = [readGuides('en'), readGuides('ar')];
  t.deepEqual(
    arabic.map(({ slug }) => slug),
    english.map(({ slug }) => slug),
  );
  for (const [index, { slug, source }] of english.entries()) {
    const other = arabic[index]?.source ?? '';
    t.deepEqual(blocksOf(other), blocksOf(source), slug);
    t.is(other.match(/^## /gm)?.length, source.match(/^## /gm)?.length, slug);
    // Links within the site keep the language.
    t.notRegex(other, /\]\(\/(?!ar\/)/, slug);
    const prose = other
      .replaceAll(/^```[\s\S]*?^```$/gm, '')
      .replaceAll(/`[^`]*`|\([^)]*\)|https?:\S+|\{\{\w+\}\}/g, '');
    const letters = (range: RegExp): number => prose.match(range)?.length ?? 0;
    t.true(letters(/[\u0621-\u064a]/g) > 12 * letters(/[A-Za-z]/g), slug);
  }
});
