import { fuzz, interruptible, isDocumented, mutated } from '#test/fuzz.ts';
import { test } from '#test/test.ts';

test('fuzzing finds a parser that throws on one character, and the failure states the seed and the input', async (t) => {
  const parse = (text: string): void => {
    if (text.includes('<')) throw new RangeError('planted');
  };
  const error = await t.throwsAsync(fuzz(t, mutated(['a "b", c', 'd <e> f']), parse));
  t.regex(error?.message ?? '', /seed: -?\d+.*Counterexample/s);
});

test('fuzzing reports a parser that is too slow and interrupts one that does not end', async (t) => {
  const busy = (ms: number): void => {
    const used = ({ user, system } = process.threadCpuUsage()) => user + system;
    const end = used() + ms * 1_000;
    while (used() < end);
  };
  let inputs = 0;
  // Only one input, so that shrinking is fast.
  const parse = (): void => (inputs++ === 3 ? busy(1_600) : undefined);
  const error = await t.throwsAsync(fuzz(t, mutated(['a']), parse));
  t.regex(error?.message ?? '', /ms for one input/);
  t.throws(() => interruptible(() => busy(Number.POSITIVE_INFINITY), 50), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
});

test('in fuzz tests, runtime errors and thrown values that are not errors count as defects', (t) => {
  t.false(isDocumented(new TypeError('x is undefined')));
  t.false(isDocumented('text'));
  t.true(isDocumented(new Error('the feed has no header')));
});
