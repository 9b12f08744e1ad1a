import { fileURLToPath } from 'node:url';
import { test } from './test.ts';

/** Folder with public data files. It is next to the project folder and not part of the repository. */
export const PUBLIC_DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** Declares a test that is reported as skipped unless its requirement is `present`. */
export const testWhere = (present: boolean): typeof test.skip => (present ? test : test.skip);

/** Same as `testWhere`, but the test runs after earlier tests in its file. */
export const serialWhere = (present: boolean): typeof test.skip => (present ? test : test.skip);
