import { runSuite } from '#test/suite.ts';

await runSuite('endpoints');
