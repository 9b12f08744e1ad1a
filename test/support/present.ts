import { test } from './test.ts';

/** Declares a test that is reported as skipped unless its requirement is `present`. Only end-to-end tests may require files or tools that `npm test` does not. */
export const testWhere = (present: boolean): typeof test.skip => (present ? test : test.skip);
