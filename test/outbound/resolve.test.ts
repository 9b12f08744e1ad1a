import { createResolve } from '#outbound/resolve.ts';
import { test } from '#test/test.ts';
import { startDns } from './dns.ts';

const SILENT = 200;

/** Longer than any machine needs. */
const NEVER_MS = 3_600_000;

test('lookups time out if the DNS server never responds', async (t) => {
  const dns = await startDns(() => null);
  t.teardown(dns.close);
  await t.throwsAsync(createResolve({ servers: [dns.server], timeoutMs: 50 })('silent.test'), { code: 'ETIMEOUT' });
});

test('names resolve to their IPv4 and IPv6 addresses, also while other lookups wait for a DNS server', async (t) => {
  const { promise: responding, resolve: respond } = Promise.withResolvers<void>();
  const dns = await startDns(async (name, kind) => {
    if (name === 'none.test') return [];
    if (name.startsWith('silent')) await responding;
    return kind === 'A' ? ['93.184.215.14', '93.184.215.15'] : ['2606:4700::1111'];
  });
  t.teardown(dns.close);
  const resolve = createResolve({ servers: [dns.server], timeoutMs: NEVER_MS, tries: 12 });
  let ended = 0;
  const silent = Array.from({ length: SILENT }, (_, index) => resolve(`silent-${index}.test`).finally(() => ended++));
  const live = await Promise.all(Array.from({ length: 20 }, (_, index) => resolve(`live-${index}.test`)));
  for (const addresses of live)
    t.deepEqual(addresses, [
      { address: '93.184.215.14', family: 4 },
      { address: '93.184.215.15', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  t.is(ended, 0);
  await t.throwsAsync(resolve('none.test'), { code: 'ENOTFOUND' });
  respond();
  await Promise.all(silent);
});
