import test from 'ava';

// Only end-to-end tests may require files or tools that `npm test` does not.

/** Declares a test that is reported as skipped unless its requirement is `present`. */
export const testWhere = (present: boolean): typeof test.skip => (present ? test : test.skip);

/** Same as `testWhere`, but the test runs after earlier tests in its file. */
export const serialWhere = (present: boolean): typeof test.skip => (present ? test.serial : test.serial.skip);
