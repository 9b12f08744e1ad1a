import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dryRun } from '#ingest/dry-run.ts';
import type { SourceDefinition } from '#ingest/sources/source.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const SOURCES = join(PROJECT, 'ingest', 'sources');
const PAGES = ['docs/how-to/source.md', 'ingest/sources/README.md'];
const FEEDS = /^(?:csv|json|ndjson|xml)$/;
/** After the dates of the pages. */
const AT = new Date('2026-11-20T00:00:00Z');
const dir = folderOfFile();

interface Snippet {
  name: string;
  code: string;
  /** The feed that precedes the snippet; null for those of sources that are fetched, or that have none. */
  feed: string | null;
  path: string;
}

/** Reads the sources in a page, each with the feed before it. Imports are written as of a folder of `ingest/sources`. */
async function snippetsOf(page: string): Promise<Snippet[]> {
  const text = await readFile(join(PROJECT, page), 'utf8');
  let feed: string | null = null;
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(({ 1: language = '', 2: code = '' }, at) => {
    if (FEEDS.test(language)) feed = code;
    if (language !== 'ts') return [];
    const snippet = {
      name: `${page}, block ${at + 1}`,
      code,
      feed,
      path: join(dir, `${page.length}-${at}`, 'source.ts'),
    };
    feed = null;
    return snippet;
  });
}

const snippets: Snippet[] = [];
test.before(async () => {
  for (const page of PAGES) snippets.push(...(await snippetsOf(page)));
  for (const { path, code } of snippets) {
    await mkdir(join(path, '..'));
    await writeFile(path, code.replaceAll(/(?<= from ')\.\.\//g, `${SOURCES}/`));
  }
});

test('the snippets of the how-to have correct types, and one reads each kind of file', async (t) => {
  const compilerOptions = { typeRoots: [join(PROJECT, 'node_modules', '@types')], lib: ['es2024', 'dom'] };
  const files = snippets.map(({ path }) => path);
  const config = { extends: join(PROJECT, 'tsconfig.json'), compilerOptions, files, include: [] };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify(config));
  await writeFile(join(dir, 'package.json'), '{ "type": "module" }');
  const compiled = await promisify(execFile)(join(PROJECT, 'node_modules', '.bin', 'tsc'), ['-p', dir], {
    timeout: 120_000,
  }).catch((error: { stdout: string }) => error);
  t.is(compiled.stdout, '');
  for (const kind of await readdir(join(SOURCES, 'kinds')))
    if (kind.endsWith('-file.ts'))
      t.true(
        snippets.some(({ code, feed }) => feed !== null && code.includes(`/${kind}'`)),
        `a snippet with a feed that imports ${kind}`,
      );
});

test('the snippets of the how-to read the feeds before them without a rejected row or an unread value', async (t) => {
  for (const { name, feed, path, code } of snippets) {
    const { default: source } = (await import(path)) as { default: SourceDefinition };
    t.truthy(source?.rows, `${name} exports a source`);
    if (feed === null) continue;
    const file = join(path, '..', /file: '([^']+)'/.exec(code)?.[1] ?? 'feed');
    await writeFile(file, feed);
    t.true(source.isOffered({ dataDir: join(path, '..') }), name);
    const signal = new AbortController().signal;
    const report = await dryRun({ path: file, source: source.name, sources: [source], at: AT, signal });
    t.true(report.rows > 0, name);
    t.like(report, { accepted: report.rows, rejected: {}, rejects: [], cut: null }, name);
    t.true(
      report.columns.some(({ fields, became }) => fields.includes('photos') && became.photos !== null),
      `${name} has photos`,
    );
    const unused = report.columns.filter(({ fields }) => fields.length === 0).map(({ column }) => column);
    t.deepEqual(unused, [], name);
  }
});
