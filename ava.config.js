import { compareTestFiles } from './test/suite.ts';

export default {
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  require: ['./test/support/property-seed.ts'],
  sortTestFiles: compareTestFiles,
  // AVA fails every unfinished test after this time without a result. Files whose tests run together can need minutes on a
  // busy machine; `test/run.ts` limits the whole run.
  timeout: '20m',
  // One more than the cores of a small machine: several files wait for engines or child processes most of their time.
  concurrency: 3,
};
