import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { PLAN_VARIABLE, type TestPlan } from './plan.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { test } from './test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const FAULTY = 'test/support/faulty-cases.ts';

/** Runs files as a suite in a separate process. @returns its exit code and output, and the measured files */
async function runSuiteOf(t: ExecutionContext, files: readonly string[], match: readonly string[] = []) {
  const times = join(await temporaryFolder(t), 'times.ndjson');
  const plan: TestPlan = { files: { unit: files }, match, seed: 1, times, exitLimitMs: 100 };
  const args = [join(PROJECT, 'node_modules/ava/entrypoints/cli.js'), '--tap', 'test/suites/unit.test.ts'];
  const env = { ...process.env, [PLAN_VARIABLE]: JSON.stringify(plan) };
  const ran = await new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = execFile(process.execPath, args, { cwd: PROJECT, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, output: stdout + stderr }),
    );
  });
  return { ...ran, measured: await readFile(times, 'utf8').catch(() => '') };
}

test('a fault outside the awaited work of a test fails that test, and the others run', async (t) => {
  const { code, output, measured } = await runSuiteOf(t, [FAULTY]);
  t.is(code, 1);
  t.regex(output, /not ok \d+ - .*a rejection that is not handled/);
  t.regex(output, /Unhandled rejection during "support\/faulty-cases.ts: a rejection that is not handled"/);
  t.regex(output, /not ok \d+ - .*an error that is not caught/);
  t.regex(output, /\nok \d+ - .*a server that stays open/);
  t.regex(output, /steps: before last after/);
  t.regex(measured, /"file":"test\/support\/faulty-cases.ts"/);
});

test('a suite that does not exit is ended, and its open handles are reported with their files', async (t) => {
  const { code, output } = await runSuiteOf(t, [FAULTY], ['*a server that stays open']);
  t.is(code, 1);
  t.regex(output, /The suite unit did not exit 0.1 s after its last test. Still open:/);
  t.regex(output, /server on \{"address":"127.0.0.1".*\}, since test\/support\/faulty-cases.ts/);
  t.notRegex(output, /a rejection that is not handled/);
});

test('a file that cannot be imported fails, and the others run', async (t) => {
  const { code, output } = await runSuiteOf(t, ['test/support/absent.test.ts', 'test/site/amounts.test.ts']);
  t.is(code, 1);
  t.regex(output, /not ok \d+ - support\/absent: can be imported/);
  t.regex(output, /\nok \d+ - site\/amounts: amounts are read/);
});
