// Tests that `suite.test.ts` runs in a separate process.
import { createServer } from 'node:net';
import { test } from './test.ts';

let steps = '';
test.before(() => {
  steps += 'before ';
});
test.after(() => console.log(`steps: ${steps}after`));

test('a rejection that is not handled', async (t) => {
  Promise.reject(new Error('not handled'));
  await new Promise((resolve) => setImmediate(resolve));
  t.pass();
});

test('an error that is not caught', async (t) => {
  setImmediate(() => {
    throw new Error('not caught');
  });
  await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
  t.pass();
});

test('a server that stays open', (t) => {
  createServer().listen(0, '127.0.0.1');
  steps += 'last ';
  t.pass();
});
