import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERMISSIONS } from '#src/accounts/roles.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { test } from '#test/test.ts';

const listOf = (cell = ''): string[] => [...cell.matchAll(/\w+/g)].map(([word]) => word);

const ROOT = join(import.meta.dirname, '..');
const DOCUMENT = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8');

/** The tests that docs/security.md names, as `file: title` in code marks. */
const NAMED = [...DOCUMENT.matchAll(/`(test\/[\w/.-]+\.ts): ([^`]+)`/g)].map(([, file = '', title = '']) => ({
  file,
  title,
}));

/** The rows of the tables: requirement, means, evidence. */
const ROWS = DOCUMENT.split('\n')
  .filter((line) => /^\| (?:API\d+:2023|\d+\.\d+\.\d+)/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

test('every test that docs/security.md names exists', (t) => {
  t.true(NAMED.length > 80, `${NAMED.length} tests are named`);
  const sources = new Map<string, string>();
  const missing = NAMED.filter(({ file, title }) => {
    if (!sources.has(file)) sources.set(file, readFileSync(join(ROOT, file), 'utf8'));
    return !['`', "'", '"'].some((mark) => sources.get(file)?.includes(`${mark}${title}${mark}`));
  });
  t.deepEqual(missing, []);
});

test('every requirement in docs/security.md has a test or states why it has none', (t) => {
  t.deepEqual(
    ROWS.map(([, id = '']) => /^API(\d+):2023/.exec(id)?.[1]).filter(Boolean),
    Array.from({ length: 10 }, (_, index) => String(index + 1)),
  );
  const without = ROWS.filter(
    ([, , means = '', evidence = '']) =>
      !evidence.includes('`test/') && !/^(?:Not met|Not applicable|Deployment)/.test(means),
  );
  t.deepEqual(without, []);
});

test('the table of permissions in docs/security.md has the roles and operations of every permission', (t) => {
  for (const [permission, roles] of Object.entries(PERMISSIONS)) {
    const row = DOCUMENT.split('\n').find((line) => line.startsWith(`| \`${permission}\` |`));
    const [, , listed, operations] = row?.split('|') ?? [];
    t.deepEqual(listOf(listed), [...roles], permission);
    const requiring = endpoints.filter((endpoint) => 'permission' in endpoint && endpoint.permission === permission);
    t.deepEqual(listOf(operations).sort(), requiring.map(({ operationId }) => operationId).sort(), permission);
  }
});
