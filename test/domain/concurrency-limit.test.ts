import fc from 'fast-check';
import { afterFailure, afterRead, type ConcurrencyLimit, FEW, initialLimit } from '#domain/concurrency-limit.ts';
import { test } from '#test/test.ts';

const MOST = 64;

const samples = fc.array(
  fc.record({
    ms: fc.double({ min: 0.1, max: 10_000, noNaN: true }),
    running: fc.integer({ min: 1, max: 200 }),
    isFull: fc.boolean(),
    pauseMs: fc.integer({ min: 0, max: 500 }),
    fails: fc.boolean(),
  }),
  { maxLength: 400 },
);

test('the limit stays within its bounds, rises only while reads wait, and learns only from few reads', (t) => {
  fc.assert(
    fc.property(samples, (reads) => {
      let limit = initialLimit(MOST, 0);
      let now = 0;
      let wasFull = false;
      for (const { ms, running, isFull, pauseMs, fails } of reads) {
        now += pauseMs;
        wasFull ||= isFull;
        const next = fails ? afterFailure(limit) : afterRead(limit, { ms, running, isFull, now });
        t.true(Number.isInteger(next.slots) && next.slots >= FEW && next.slots <= MOST);
        if (next.slots > limit.slots) t.true(wasFull);
        if (running > FEW) t.is(next.baselineMs, limit.baselineMs);
        if (fails) t.true(next.slots <= limit.slots);
        limit = next;
      }
    }),
  );
});

/** Reads that take `ms` alone and always wait for a slot, on an engine with a number of processors. */
function saturate(given: ConcurrencyLimit, processors: number, ms: number, seconds: number): ConcurrencyLimit {
  let limit = given;
  const { begun } = given.window;
  for (let now = begun; now < begun + seconds * 1_000; ) {
    const running = limit.slots;
    const sample = { ms: ms * Math.max(1, running / processors), running, isFull: true };
    now += sample.ms / running;
    limit = afterRead(limit, { ...sample, now });
  }
  return limit;
}

test('the limit follows the processors of the engine, whatever a read costs', (t) => {
  for (const processors of [1, 2, 4, 8, 16, 32])
    for (const ms of [2, 20, 200]) {
      const { slots } = saturate(initialLimit(MOST, 0), processors, ms, 60);
      const title = `${processors} processors, ${ms} ms: ${slots} slots`;
      t.true(slots >= processors && slots <= 3 * Math.max(FEW, processors), title);
    }
});

test('the limit falls when reads become slow, and adapts when all reads have become slow', (t) => {
  const usual = saturate(initialLimit(MOST, 0), 16, 10, 60);
  t.true(saturate(usual, 2, 10, 5).slots < usual.slots / 2, 'other load takes processors');
  t.true(saturate(usual, 16, 40, 60).slots >= 16, 'other reads cost four times as much');
});

test('a process that starts under load begins with few reads until it knows how long they take', (t) => {
  let limit = initialLimit(MOST, 0);
  for (let now = 10; now < 5_000; now += 10) limit = afterRead(limit, { ms: 50, running: 8, isFull: true, now });
  t.is(limit.slots, FEW);
});
