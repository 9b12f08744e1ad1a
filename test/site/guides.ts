import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestFn } from 'ava';
import { readGuides } from '#site/guides.ts';
import { type RecordedCall, startRecorder } from '#test/recorder.ts';
import type { SampleApp } from '#test/sample-app.ts';

interface Block {
  language: string;
  code: string;
}

const blocksOf = (source: string): Block[] =>
  [...source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));

/** How a block of a language is run. Variables that a block of shell exports are there for the blocks after it. */
const RUNNERS: Readonly<Record<string, (file: string) => string>> = {
  js: (file) => `node --input-type=module < ${file}`,
  python: (file) => `python3 ${file}`,
  sh: (file) => `source ${file}`,
};

/**
 * Every command of the guides, in the order of the guide, as a reader would run it after `npm start`.
 * @returns what the commands have asked the service so far, and were answered
 */
export function guideTests(test: TestFn, sample: () => SampleApp): () => readonly RecordedCall[] {
  let recorder: Awaited<ReturnType<typeof startRecorder>>;
  test.serial.before('a recorder', async () => {
    recorder = await startRecorder(sample().app.url);
  });
  test.after.always('a recorder', () => recorder?.close());
  for (const { slug, source } of readGuides('en')) {
    test.serial(`every command of the guide "${slug}" runs`, async (t) => {
      const { keys } = sample();
      const api = `${recorder.url}/v1`;
      const blocks = blocksOf(source.replaceAll('{{base_url}}', api));
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
        const file = `block-${index}`;
        await writeFile(join(folder, file), code);
        lines.push(`echo '# ${index}' >&2`, RUNNERS[language]?.(`./${file}`) ?? '');
      }
      const env = {
        ...process.env,
        // The node that runs the tests, which need not be in PATH.
        PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
        API: api,
        KEY: keys.pro,
      };
      const child = spawn('bash', ['-euo', 'pipefail', '-c', lines.join('\n')], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: 60_000,
      });
      const [out, errors, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'exit') as Promise<[number | null]>,
      ]);
      t.is(code, 0, `${errors}\n${out.slice(-2_000)}`);
    });
  }

  test.serial('the Arabic guides are the English ones: the same guides, sections and commands', (t) => {
    const [english, arabic] = [readGuides('en'), readGuides('ar')];
    t.deepEqual(
      arabic.map(({ slug }) => slug),
      english.map(({ slug }) => slug),
    );
    for (const [index, { slug, source }] of english.entries()) {
      const other = arabic[index]?.source ?? '';
      t.deepEqual(blocksOf(other), blocksOf(source), slug);
      t.is(other.match(/^## /gm)?.length, source.match(/^## /gm)?.length, slug);
      // Links within the site stay in the language.
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
