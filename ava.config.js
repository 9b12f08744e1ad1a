import { compareSuites } from './test/suite.ts';

export default {
  files: ['test/suites/*.test.ts'],
  extensions: ['ts'],
  require: ['./test/support/property-seed.ts'],
  sortTestFiles: compareSuites,
  // Otherwise a suite that failed before starts first.
  cache: false,
  // AVA fails every unfinished test after this time without a result; `test/run.ts` limits the whole run.
  timeout: '20m',
  concurrency: 2,
};
