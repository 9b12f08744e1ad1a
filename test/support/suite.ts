import { appendFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ava, { type ExecutionContext, registerCompletionHandler } from 'ava';
import { type FileTime, PLAN_VARIABLE, type TestPlan } from './plan.ts';
import { seeded } from './random.ts';
import { type CaseFile, closeFixtures, importCases } from './test.ts';

const PROJECT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Time in milliseconds after which a worker that does not exit after its last test is ended. */
const EXIT_LIMIT_MS = 30_000;

/** State of a test file of the suite. */
interface Running {
  file: CaseFile;
  /** Result of the `before` steps, from the first test on. */
  opened?: Promise<void>;
  began: { at: number; cpu: NodeJS.CpuUsage };
  isClosed: boolean;
}

/** Title of a test as AVA reports it. */
const titleOf = (file: string, title: string): string =>
  `${file.replace(/^test\//, '').replace(/\.test\.ts$/, '')}: ${title}`;

/**
 * Imports the test files of a suite in an order shuffled by the seed, and registers their tests with AVA. Declares a
 * failing test for a file that cannot be imported, so that the others run.
 */
export async function runSuite(name: string): Promise<void> {
  const plan = readPlan();
  const files: CaseFile[] = [];
  const failed: [string, unknown][] = [];
  for (const path of shuffled(plan.files[name] ?? [], plan.seed)) {
    try {
      files.push(await importCases(path, pathToFileURL(join(PROJECT, path)).href));
    } catch (error) {
      failed.push([path, error]);
    }
  }
  const faults = catchFaults();
  const states: Running[] = [];

  for (const [path, error] of failed)
    ava.serial(titleOf(path, 'can be imported'), () => {
      throw error;
    });
  for (const file of files) {
    const last = file.cases.findLast(({ kind }) => kind !== 'skip');
    const state: Running = { file, began: { at: 0, cpu: { user: 0, system: 0 } }, isClosed: false };
    states.push(state);
    for (const one of file.cases) {
      const title = titleOf(file.path, one.title);
      const run = async (t: ExecutionContext) => {
        faults.title = title;
        // Teardown functions run in reverse order, those of the test first: they may use what `after` closes.
        if (one === last) t.teardown(() => closeFile(state, plan.times, t));
        const work = async () => {
          await openFile(state, t);
          for (const step of file.afterEach) t.teardown(() => step(t));
          for (const step of file.beforeEach) await step(t);
          await one.body(t);
        };
        await faults.watch(work()).catch((error: unknown) => {
          throw printable(error);
        });
      };
      if (one.kind === 'skip') ava.serial.skip(title, run);
      else if (one.kind === 'failing') ava.serial.failing(title, run);
      else ava.serial(title, run);
    }
  }

  ava.afterEach.always('fails a test for the faults during it', () => faults.throwAny());
  ava.after.always('closes the fixtures of the suite', async (t) => {
    // With `--match`, the last test of a file may not be selected.
    for (const state of states) await closeFile(state, plan.times, t);
    await closeFixtures();
    // Errors of work that no test waits for appear after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    faults.throwAny();
  });
  registerCompletionHandler(() => endUnlessIdle(name));
}

function readPlan(): TestPlan {
  const text = process.env[PLAN_VARIABLE];
  if (!text) throw new Error('Run the tests with: npm test -- test/<area>/<name>.test.ts');
  return JSON.parse(text) as TestPlan;
}

/** Removes undefined properties of an error, at which AVA's reporter throws and ends the run. */
function printable(error: unknown): unknown {
  if (error instanceof Error)
    for (const [name, value] of Object.entries(error)) if (value === undefined) Reflect.deleteProperty(error, name);
  return error;
}

function shuffled(paths: readonly string[], seed: number): string[] {
  const random = seeded(seed);
  return paths
    .map((path) => ({ path, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ path }) => path);
}

function openFile(state: Running, t: ExecutionContext): Promise<void> {
  state.opened ??= (async () => {
    state.began = { at: performance.now(), cpu: process.threadCpuUsage() };
    for (const step of state.file.before) await step(t);
  })();
  return state.opened;
}

/** Runs the `after` steps of a file whose `before` steps have run, once. */
async function closeFile(state: Running, times: string, t: Pick<ExecutionContext, 'log'>): Promise<void> {
  if (!state.opened || state.isClosed) return;
  state.isClosed = true;
  const errors: unknown[] = [];
  for (const step of state.file.after)
    try {
      await step(t as ExecutionContext);
    } catch (error) {
      errors.push(error);
    }
  addTime(times, state);
  if (errors.length > 0) throw errors[0];
}

function addTime(path: string, { file, began }: Running): void {
  const { user, system } = process.threadCpuUsage(began.cpu);
  const time: FileTime = { file: file.path, ms: performance.now() - began.at, cpuMs: (user + system) / 1000 };
  appendFileSync(path, `${JSON.stringify(time)}\n`);
}

/**
 * Catches unhandled rejections and uncaught errors, which would otherwise end the worker with all tests that it has not
 * run yet. The test that runs when one occurs fails.
 */
function catchFaults() {
  const errors: Error[] = [];
  let wake = () => {};
  const faults = {
    /** Title of the running test. */
    title: 'importing the test files',
    /** Resolves with the work of a test. @throws the first fault during it */
    async watch(work: Promise<void>): Promise<void> {
      const fault = new Promise<never>((_, reject) => {
        wake = () => reject(errors.shift());
      });
      // AVA ends a test that waits only for timers that do not keep the process running.
      const running = setInterval(() => {}, 60_000);
      try {
        await Promise.race([work, fault]);
      } finally {
        wake = () => {};
        clearInterval(running);
      }
    },
    /** @throws the first fault that failed no test */
    throwAny() {
      const [first] = errors.splice(0);
      if (first) throw first;
    },
  };
  const add = (what: string, reason: unknown) => {
    errors.push(new Error(`${what} during "${faults.title}"`, { cause: reason }));
    wake();
  };
  process.on('unhandledRejection', (reason, promise) => {
    add('Unhandled rejection', reason);
    // AVA ends the worker for rejections that are still unhandled.
    promise.catch(() => {});
  });
  process.setUncaughtExceptionCaptureCallback((error) => add('Uncaught exception', error));
  return faults;
}

/** Ends a worker that does not exit after its last test, and reports what is open. */
function endUnlessIdle(name: string): void {
  // The timer does not keep the worker running: it fires only if something else does.
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    console.error(`The suite ${name} did not exit ${EXIT_LIMIT_MS / 1000} s after its last test. Still open: ${open}`);
    process.exit(1);
  }, EXIT_LIMIT_MS).unref();
}
