import { TapReader } from './tap.ts';
import { test } from './test.ts';

test('test results are counted and shown, and other TAP lines are not', (t) => {
  const reader = new TapReader();
  const lines = [
    'TAP version 13',
    'ok 1 - a › works',
    'not ok 2 - a › fails',
    '  ---',
    'ok 3 - later # SKIP',
    '1..3',
    '# pass 1',
  ];
  t.deepEqual(
    lines.map((line) => reader.read(line)).filter((line) => line !== undefined),
    ['  ✔ a › works', '  ✘ a › fails', '  ---', '  - later'],
  );
  t.is(reader.closingLine(), '1 passed, 1 failed, 1 skipped');
  t.deepEqual(reader.failures, [{ title: 'a › fails', lines: ['  ---'] }]);
});

test('the closing line of a test run states the skipped tests only if there are any', (t) => {
  t.is(new TapReader().closingLine(), '0 passed, 0 failed');
});
