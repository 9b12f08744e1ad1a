import type { ExecutionContext } from 'ava';

/** Implementation of a test, or of a step before or after tests. */
export type Body = (t: ExecutionContext) => unknown;

/** A test of a file, not yet registered with AVA. */
export interface Case {
  title: string;
  body: Body;
  kind: 'test' | 'skip' | 'failing';
}

/** The tests of a file, and the steps around them. */
export interface CaseFile {
  path: string;
  cases: Case[];
  before: Body[];
  after: Body[];
  beforeEach: Body[];
  afterEach: Body[];
}

/** The file that is being imported. Files are imported one after another. */
let current: CaseFile | undefined;

function currentFile(): CaseFile {
  if (!current) throw new Error('Test files are run by their suite: npm test -- test/<area>/<name>.test.ts');
  return current;
}

const declare = (kind: Case['kind']) => (title: string, body: Body) =>
  void currentFile().cases.push({ title, body, kind });

/**
 * Declares a test of the imported file. All tests of a suite run in one worker, one after another, those of a file in
 * the order of their declaration.
 *
 * - `before` runs before the first test of the file that is run, `after` when the last one has ended, also if it failed.
 *   Neither runs if no test of the file is run. Databases, apps and servers are opened in `before`, so that
 *   importing a file opens nothing.
 * - `beforeEach` and `afterEach` run around every test of the file.
 */
export const test = Object.assign(declare('test'), {
  skip: declare('skip'),
  failing: declare('failing'),
  before: (body: Body) => void currentFile().before.push(body),
  after: (body: Body) => void currentFile().after.unshift(body),
  beforeEach: (body: Body) => void currentFile().beforeEach.push(body),
  afterEach: (body: Body) => void currentFile().afterEach.unshift(body),
});

/** Imports a file of tests. @returns the tests it declares */
export async function importCases(path: string, url: string): Promise<CaseFile> {
  const file: CaseFile = { path, cases: [], before: [], after: [], beforeEach: [], afterEach: [] };
  current = file;
  try {
    await import(url);
  } finally {
    current = undefined;
  }
  return file;
}

/** Steps that close what the files of the suite share. */
const closing: (() => Promise<void>)[] = [];

/**
 * Returns a function that opens a fixture on its first call and returns the same one to all files of the suite. It is
 * closed at the end of the suite.
 */
export function suiteFixture<T>(openFixture: () => Promise<T>, close: (fixture: T) => Promise<void>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= openFixture().then((fixture) => {
      closing.push(() => close(fixture));
      return fixture;
    });
    return opened;
  };
}

/** Closes the fixtures of the suite, newest first. */
export async function closeFixtures(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
