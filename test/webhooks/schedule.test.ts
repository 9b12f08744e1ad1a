import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import type { OutboundClient } from '#outbound/client.ts';
import { OutboundError } from '#outbound/error.ts';
import { test } from '#test/test.ts';
import { nextCapacity, nextWait, readRetryAfter } from '#webhooks/schedule.ts';
import { sendMessage } from '#webhooks/send.ts';
import { isSigned, signatureHeader } from '#webhooks/signature.ts';
import { DEFAULTS } from '#webhooks/worker.ts';

const MINUTE = 60_000;

test('Retry-After can postpone an attempt up to the longest retry delay, but not make it earlier', (t) => {
  t.is(nextWait(1, 0, 30_000), MINUTE);
  t.is(nextWait(1, 0, 20 * MINUTE), 20 * MINUTE);
  t.is(nextWait(1, 0, 999 * 60 * MINUTE), 360 * MINUTE);
  t.is(nextWait(6, 0, MINUTE), null);
  const now = Date.parse('2026-06-01T12:00:00Z');
  t.is(readRetryAfter('120', now), 120_000);
  t.is(readRetryAfter('Mon, 01 Jun 2026 12:02:00 GMT', now), 120_000);
  t.is(readRetryAfter('Mon, 01 Jun 2026 11:00:00 GMT', now), 0);
  for (const other of ['', 'soon', '-5', '2026-06-01', undefined, ['1', '2']]) t.is(readRetryAfter(other, now), null);
});

test('a webhook receiver has ten seconds to respond, and the lease on a delivery lasts longer', async (t) => {
  t.is(DEFAULTS.receiverMs, 10_000);
  t.true(DEFAULTS.leaseMs > 2 * DEFAULTS.receiverMs);
  const limits: number[] = [];
  const client: OutboundClient = {
    fetch: async (_, { timeoutMs }) => {
      limits.push(timeoutMs);
      throw new OutboundError('timeout', '');
    },
    close: () => {},
  };
  const message = { url: '', eventId: '', eventType: '', attempt: 1, body: '', secrets: [] };
  t.like(await sendMessage(client, message, 0), { accepted: false, error: 'timeout' });
  t.deepEqual(limits, [10_000]);
});

test('the concurrency for a receiver host increases with fast responses and decreases with slow ones', (t) => {
  for (const [took, ...capacities] of [
    [20, 1, 2, 4, 8, 8, 8],
    [2_000, 8, 4, 4, 4, 4, 4],
    [9_500, 8, 1, 1, 1, 1, 1],
    [Number.POSITIVE_INFINITY, 8, 1, 1, 1, 1, 1],
  ] as const)
    for (const [at, capacity] of capacities.slice(0, -1).entries())
      t.is(nextCapacity(capacity, took, 8), capacities[at + 1] as number, `${took} ms`);
});

test('a signature follows the documented scheme, and a receiver rejects any other signature', (t) => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.string({ minLength: 1 }),
      fc.integer({ min: 1, max: 2 ** 31 }),
      (body, secret, other, now) => {
        const header = signatureHeader(body, [secret], now);
        const expected = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex');
        t.is(header, `t=${now},v1=${expected}`);
        const bytes = Buffer.from(body);
        const verdicts = [
          isSigned(header, bytes, [secret], now + 300),
          isSigned(header, bytes, [secret], now - 300),
          isSigned(header, bytes, [`${secret}${other}`, secret], now),
          isSigned(signatureHeader(body, [`${secret}${other}`, secret], now), bytes, [secret], now),
          isSigned(header, bytes, [secret], now + 301),
          isSigned(header, bytes, [secret], now - 301),
          isSigned(header, Buffer.from(`${body}${other}`), [secret], now),
          isSigned(header, bytes, [`${secret}${other}`], now),
          isSigned(header.replace(`t=${now}`, `t=${now + 1}`), bytes, [secret], now),
          isSigned('', bytes, [secret], now),
          isSigned('t=1,v1=', bytes, [secret], 1),
        ];
        return verdicts.join() === [...Array(4).fill(true), ...Array(7).fill(false)].join();
      },
    ),
  );
});
