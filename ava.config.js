import { compareTestFiles } from './test/suite.ts';

export default {
  files: ['test/**/*.test.ts'],
  extensions: ['ts'],
  require: ['./test/support/property-seed.ts'],
  sortTestFiles: compareTestFiles,
  // AVA fails every unfinished test after this time without a result. Two files whose tests run together can need
  // minutes on a busy machine; `test/run.ts` limits the whole run.
  timeout: '20m',
  concurrency: 2,
};
