import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext, TestFn } from 'ava';
import { readGuides } from '#site/guides.ts';
import { childOutput } from '#test/child-output.ts';
import { textOfMarkup } from '#test/markup.ts';
import { type RecordedCall, startRecorder } from '#test/recorder.ts';
import type { SampleApp } from '#test/sample-app.ts';

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
 * are available to later blocks.
 */
const RUNNERS: Readonly<Record<string, (file: string) => string>> = {
  js: (file) => `node ${NODE_20} ${file}`,
  python: (file) => `python3 ${file}`,
  sh: (file) => `source ${file}`,
};

/** Languages of the home page's commands by their labels. */
const LANGUAGES: Readonly<Record<string, string>> = { curl: 'sh', JavaScript: 'js', Python: 'python' };

/** Runs blocks in sequence in one shell and a separate folder. */
async function runBlocks(
  t: ExecutionContext,
  blocks: readonly Block[],
  keys: SampleApp['keys'],
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  t.deepEqual(
    blocks.filter(({ language }) => !(language in RUNNERS)),
    [],
  );
  const folder = await mkdtemp(join(tmpdir(), 'guide-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, '.data'));
  await writeFile(join(folder, '.data', 'demo.json'), JSON.stringify({ keys }));
  const lines: string[] = [];
  for (const [index, { language, code }] of blocks.entries()) {
    const file = `block-${index}.${language}`;
    await writeFile(join(folder, file), code.replaceAll('<API_KEY>', keys.pro));
    lines.push(`echo '# ${index}' >&2`, RUNNERS[language]?.(`./${file}`) ?? '');
  }
  const env = {
    ...process.env,
    // The Node version that runs the tests may not be in PATH.
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    ...variables,
  };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', lines.join('\n')], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  const { code, out, errors } = await childOutput(child);
  t.is(code, 0, `${errors}\n${out.slice(-2_000)}`);
}

/**
 * Runs every command of the guides in order, as a reader would after `npm start`.
 * @returns a function for the requests and responses recorded so far
 */
export function guideTests(test: TestFn, sample: () => SampleApp): () => readonly RecordedCall[] {
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  test.serial.before('a recorder', async () => {
    recorder = await startRecorder(sample().app.url);
  });
  test.after.always('a recorder', () => recorder?.close());
  for (const { slug, source } of readGuides('en')) {
    test.serial(`every command of the guide "${slug}" runs`, (t) => {
      const { keys } = sample();
      return runBlocks(t, blocksOf(source.replaceAll('{{base_url}}', `${recorder.url}/v1`)), keys, {
        API: `${recorder.url}/v1`,
        KEY: keys.pro,
      });
    });
  }

  test.serial('every command of the home page runs', async (t) => {
    const { app, keys } = sample();
    const { text: page } = await app.request('/');
    const blocks = [...page.matchAll(/<h3 dir="ltr">(\w+)<\/h3>[\s\S]*?<code[^>]*>([\s\S]*?)<\/code>/g)].map(
      ([, name = '', code = '']) => ({ language: LANGUAGES[name] ?? name, code: textOfMarkup(code) }),
    );
    t.is(blocks.length, 3);
    await runBlocks(t, blocks, keys, {});
  });

  test.serial('the Arabic guides have the same sections and commands as the English guides', (t) => {
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
  return () => recorder.calls;
}
