import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '#test/test.ts';
import { isRelease } from './suite.ts';

const PROJECT = join(import.meta.dirname, '..');
/** Marks of a test that runs a program which may be absent. */
const RUNS_PROGRAM = /\b(?:testWhere|testWith|spawnSync)\(|browser\//;

test('each program of docs/edges.md has an end-to-end test, and each test of a program that may be absent has a row', (t) => {
  const page = readFileSync(join(PROJECT, 'docs', 'edges.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| [^-]/.test(line) && !line.startsWith('| Program'));
  t.true(rows.length >= 10);
  const named = rows.flatMap((row) => {
    const cells = row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
    t.is(cells.length, 4, row);
    t.true(
      cells.every((cell) => cell.trim() !== ''),
      row,
    );
    const paths = [...(cells[3] ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, path = '']) =>
      globSync(path, { cwd: PROJECT }),
    );
    t.true(paths.length > 0, row);
    return paths;
  });
  t.deepEqual(
    named.filter((path) => !isRelease(path) || !existsSync(join(PROJECT, path))),
    [],
  );
  const tests = globSync('test/**/*.test.ts', { cwd: PROJECT }).filter(
    (path) => isRelease(path) && RUNS_PROGRAM.test(readFileSync(join(PROJECT, path), 'utf8')),
  );
  t.deepEqual(
    tests.filter((path) => !named.includes(path)),
    [],
  );
});
