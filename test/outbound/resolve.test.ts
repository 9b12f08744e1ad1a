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

test('lookups that wait for a DNS server do not delay lookups of other names', async (t) => {
  const { promise: responding, resolve: respond } = Promise.withResolvers<void>();
  const dns = await startDns(async (name, kind) => {
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
  respond();
  await Promise.all(silent);
});

test('a host name resolves to its IPv4 and IPv6 addresses, and a name without addresses does not exist', async (t) => {
  const dns = await startDns((name, kind) =>
    name === `only-${kind.toLowerCase()}.test` ? [kind === 'A' ? '8.8.8.8' : '::1'] : [],
  );
  t.teardown(dns.close);
  const resolve = createResolve({ servers: [dns.server] });
  t.deepEqual(await resolve('only-a.test'), [{ address: '8.8.8.8', family: 4 }]);
  t.deepEqual(await resolve('only-aaaa.test'), [{ address: '::1', family: 6 }]);
  await t.throwsAsync(resolve('none.test'), { code: 'ENOTFOUND' });
});
