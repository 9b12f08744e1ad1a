import test from 'ava';
import { createLogger } from '#observability/logger.ts';
import { WORKERS } from '#workers/index.ts';
import { officialWorker } from '#workers/official.ts';

const logger = createLogger('silent');

test('the folder is looked at when the process starts; a failure and a busy lock end nothing', async (t) => {
  t.true(WORKERS.some(({ name }) => name === officialWorker.name));
  const outcomes = [async () => [{ name: 'a' }], async () => null, async () => Promise.reject(new Error('away'))];
  for (const importNew of outcomes) {
    let calls = 0;
    const stop = await officialWorker.start({
      official: {
        importNew: () => {
          calls++;
          return importNew();
        },
      },
      logger,
    });
    await stop();
    t.is(calls, 1);
  }
});

test('stopping interrupts an import under way, and waits for it', async (t) => {
  let stopped = false;
  const began = Promise.withResolvers<void>();
  const stop = await officialWorker.start({
    official: {
      importNew: (signal) =>
        new Promise((_, reject) => {
          began.resolve();
          signal.addEventListener('abort', () => {
            stopped = true;
            reject(signal.reason);
          });
        }),
    },
    logger,
  });
  await began.promise;
  await stop();
  t.true(stopped);
});
