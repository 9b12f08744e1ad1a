import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { ListingOp } from '#search/bulk.ts';
import { type ListingIndex, openListingIndex } from '#search/listing-index/index.ts';
import { readState } from '#search/listing-index/state.ts';
import { type Lease, takeLease } from '#search/reindex/lease.ts';
import { indexStatus, reindex, rollback, type Step } from '#search/reindex/reindex.ts';
import { readSegments } from '#search/segments.ts';
import { claimAs } from '#start/claim.ts';
import { cli, cliProcess, startCli } from '#test/cli.ts';
import { testEnv } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';
import { startProxy } from '#test/holding-proxy.ts';
import { test } from '#test/test.ts';
import { type OwnIndexes, ownIndexes } from './own-indexes.ts';

const generationName = (prefix: string, generation: number): string => `${prefix}listings-v${generation}`;

/** Pause between concurrent writes, and between searches, in milliseconds. */
const PAUSE_MS = 10;

const claim = (takeOver = false) => claimAs(new Date(), takeOver);

/** Writes documents with ids from 1 to `count` and version 1. */
async function fill(index: ListingIndex, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1_000) {
    const ids = Array.from({ length: Math.min(1_000, count - at) }, (_, offset) => at + offset + 1);
    await index.bulk(ids.map((id) => put(id, 1)));
  }
  await index.refresh();
}

function put(id: number, version: number): ListingOp {
  return { op: 'index', id, version, stored: makeListing({ id, area_sqm: version, title: `v${version}` }) };
}

/**
 * Returns the document versions by id in an index, after checking that each document has the content of its version.
 */
async function contents(own: OwnIndexes, index: string): Promise<Map<number, number>> {
  await own.client.indices.refresh({ index });
  const versions = new Map<number, number>();
  let after: unknown[] | undefined;
  for (;;) {
    const { body } = await own.client.transport.request({
      method: 'POST',
      path: `/${index}/_search`,
      body: {
        size: 5_000,
        version: true,
        sort: ['filter.id'],
        docvalue_fields: ['filter.area'],
        ...(after ? { search_after: after } : {}),
      },
    });
    const { hits } = (
      body as { hits: { hits: { _id: string; _version: number; sort: unknown[]; fields: Record<string, number[]> }[] } }
    ).hits;
    for (const hit of hits) {
      if (hit.fields['filter.area']?.[0] !== hit._version) throw new Error(`${hit._id} is not of its version`);
      versions.set(Number(hit._id), hit._version);
    }
    if (hits.length < 5_000) return versions;
    after = hits.at(-1)?.sort;
  }
}

test('writes, deletes and searches continue without data loss while the index is replaced', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  const total = 3_000;
  await fill(index, total);
  const expected = new Map(Array.from({ length: total }, (_, at) => [at + 1, 1]));

  let running = true;
  let version = 1;
  let searches = 0;
  const writing = (async () => {
    while (running) {
      version += 1;
      const ids = new Set(Array.from({ length: 40 }, () => 1 + Math.floor(Math.random() * (total + 500))));
      const ops: ListingOp[] = [...ids].map((id) =>
        Math.random() < 0.4 ? { op: 'delete', id, version } : put(id, version),
      );
      await index.bulk(ops);
      for (const { op, id } of ops) op === 'delete' ? expected.delete(id) : expected.set(id, version);
      await sleep(PAUSE_MS);
    }
  })();
  const searching = (async () => {
    while (running) {
      const { body } = await own.client.count({ index: index.alias });
      searches += 1;
      if (body.count < total / 3) throw new Error(`a search saw ${body.count} listings`);
      await sleep(PAUSE_MS);
    }
  })();
  let report: Awaited<ReturnType<typeof reindex>>;
  try {
    report = await reindex(own.client, claim(), { pageSize: 200 });
  } finally {
    running = false;
    await Promise.all([writing, searching]);
  }
  t.is(report.from, generationName(own.prefix, 1));
  t.is(report.to, generationName(own.prefix, 2));
  t.true(report.sample_compared > 0);
  t.true(searches > 0);
  t.true(version > 3);
  t.deepEqual(await readState(own.client), { live: report.to, next: null });
  t.deepEqual(await contents(own, index.alias), new Map([...expected].sort(([a], [b]) => a - b)));

  // The settings for the fill are reverted.
  const [settings] = Object.values((await own.client.indices.getSettings({ index: index.alias })).body);
  const { refresh_interval, gc_deletes } = (settings?.settings?.index ?? {}) as Record<string, unknown>;
  t.deepEqual({ refresh_interval, gc_deletes }, { refresh_interval: '5s', gc_deletes: undefined });
});

test('a rollback copies later writes to the previous index and can be reverted', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, 300);
  await t.throwsAsync(rollback(own.client, claim()), { message: /no previous index/ });
  await reindex(own.client, claim());
  t.deepEqual(await readSegments(own.client, index.alias), { segments: 1, documents: 300, deleted: 0 });
  await index.bulk([put(1, 2), put(301, 2), { op: 'delete', id: 2, version: 2 }]);
  const before = await contents(own, index.alias);
  const report = await rollback(own.client, claim());
  t.is(report.to, generationName(own.prefix, 1));
  t.deepEqual([report.copied, report.deleted], [2, 1]);
  t.deepEqual(await contents(own, index.alias), before);
  t.is((await indexStatus(own.client)).previous, generationName(own.prefix, 2));
  const forward = await rollback(own.client, claim());
  t.is(forward.to, generationName(own.prefix, 2));
  t.deepEqual(await contents(own, index.alias), before);
});

test('the previous index is retained, and older ones are deleted', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, 20);
  for (let run = 0; run < 3; run += 1) await reindex(own.client, claim());
  const { body } = await own.client.cat.indices({ index: `${own.prefix}listings-v*`, format: 'json' });
  t.deepEqual(
    (body as { index: string }[]).map((row) => row.index).sort(),
    [3, 4].map((generation) => generationName(own.prefix, generation)),
  );
  t.is((await contents(own, index.alias)).size, 20);
});

/** Documents of an index that a process copies: more than one page of the copy. */
const COPIED = 2_000;

/** Starts a reindex in a separate process. Resolves when it has copied one page and its next one is being held. */
async function copyingElsewhere(
  t: ExecutionContext,
  own: OwnIndexes,
): Promise<{ child: ChildProcess; output: () => string; release: () => void }> {
  let pages = 0;
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const proxy = await startProxy(testEnv().OPENSEARCH_URL, async (path) => {
    if (!path.includes('/_bulk') || pages++ === 0) return;
    begun.resolve();
    await released.promise;
  });
  t.teardown(proxy.close);
  const child = startCli(['reindex', '--json', '--prefix', own.prefix], { OPENSEARCH_URL: proxy.url });
  t.teardown(() => child.kill('SIGKILL'));
  child.stderr.resume();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.once('exit', () => begun.reject(new Error(`the child ended before it copied: ${output}`)));
  await begun.promise;
  return { child, output: () => output, release: released.resolve };
}

test('after a reindex is killed, the old index keeps serving, and the next reindex deletes the partial copy', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, COPIED);
  const { child } = await copyingElsewhere(t, own);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const half = generationName(own.prefix, 2);
  t.deepEqual(await readState(own.client), { live: generationName(own.prefix, 1), next: half });
  t.is((await contents(own, index.alias)).size, COPIED);
  t.regex((await indexStatus(own.client)).running ?? '', new RegExp(`^process ${child.pid} on `));
  // The leftovers do not block writers.
  await index.bulk([put(1, 2)]);

  const report = await reindex(own.client, claim());
  t.true(report.deleted.includes(half));
  t.is(report.documents, COPIED);
  const after = await contents(own, index.alias);
  t.is(after.size, COPIED);
  t.is(after.get(1), 2);
  t.is((await indexStatus(own.client)).running, null);
});

test('a stalled reindex keeps its lease until an operator takes the lease over, and can then change nothing', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, COPIED);
  const { child, output, release } = await copyingElsewhere(t, own);
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const second = await t.throwsAsync(reindex(own.client, claim()));
  t.is(second?.name, 'ReindexRunningError');
  t.regex(second?.message ?? '', new RegExp(`process ${child.pid} on .*--take-over`));
  await t.throwsAsync(rollback(own.client, claim()), { name: 'ReindexRunningError' });

  const { to, documents } = await reindex(own.client, claim(true));
  t.is(documents, COPIED);
  const before = await own.client.indices.getAlias({ index: `${own.prefix}*` });
  release();
  t.is((await exit)[0], 1);
  t.regex(JSON.parse(output()).error, /Another reindex has taken over/);
  t.deepEqual((await own.client.indices.getAlias({ index: `${own.prefix}*` })).body, before.body);
  t.is((await readState(own.client)).live, to);
  t.is((await contents(own, index.alias)).size, COPIED);
});

test('of two concurrent reindexes, one continues and the other is refused', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, 2_000);
  const begun = Promise.withResolvers<void>();
  const onProgress = (step: Step): void => {
    if (step === 'copy') begun.resolve();
  };
  const running = reindex(own.client, claim(), { pageSize: 5, onProgress });
  await begun.promise;
  await t.throwsAsync(reindex(own.client, claim()), { name: 'ReindexRunningError' });
  t.is((await running).documents, 2_000);
});

test('one of many concurrent requests gets the lease, and the holder of a lost lease can change nothing', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  await own.open();
  const ask = async (takeOver: boolean) => {
    const asked = Array.from({ length: 8 }, () => takeLease(own.client, claim(takeOver)));
    const settled = await Promise.allSettled(asked);
    for (const one of settled) if (one.status === 'rejected') t.is(one.reason.name, 'ReindexRunningError');
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  };
  const [first, ...others] = (await ask(false)) as [Lease, ...Lease[]];
  t.is(others.length, 0);
  const takers = await ask(true);
  t.true(takers.length > 0);
  const alias = `${own.prefix}by-who-lost`;
  const add = [{ add: { index: `${own.prefix}reindex-lease`, alias } }];
  const alive: Lease[] = [];
  for (const lease of [first, ...takers])
    await lease.check().then(
      () => alive.push(lease),
      (error: Error) => t.is(error.name, 'LeaseLostError'),
    );
  t.is(alive.length, 1);
  for (const lease of [first, ...takers])
    if (lease !== alive[0]) await t.throwsAsync(lease.updateAliases(add), { name: 'LeaseLostError' });
  t.is((await own.client.indices.existsAlias({ name: alias })).body, false);
  await t.throwsAsync(first.release(), { name: 'LeaseLostError' });
  await alive[0]?.release();
  t.is((await ask(false)).length, 1);
});

test('after a reindex is cancelled, the old index keeps serving, and no lease or new index remains', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, 300);
  const stopping = new AbortController();
  const onProgress = (step: Step): void => {
    if (step === 'copy') stopping.abort();
  };
  await t.throwsAsync(reindex(own.client, claim(), { onProgress, pageSize: 20, signal: stopping.signal }), {
    name: 'AbortError',
  });
  t.deepEqual(await readState(own.client), { live: generationName(own.prefix, 1), next: null });
  const status = await indexStatus(own.client);
  t.deepEqual([status.running, status.live?.documents], [null, 300]);
  t.is((await reindex(own.client, claim())).documents, 300);
});

test('a release can roll back from a newer index to its own, but not to an older one', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  await fill(index, 20);
  const setVersion = (generation: number, version: number) =>
    own.client.indices.putMapping({ index: generationName(own.prefix, generation), body: { _meta: { version } } });
  await reindex(own.client, claim());
  await setVersion(2, 99);
  await t.throwsAsync(openListingIndex(own.client), { message: /npm run reindex -- rollback/ });
  const reindexed = reindex(own.client, claim());
  await t.throwsAsync(
    reindexed,
    { message: /npm run reindex -- rollback/ },
    'it would lose what only the newer one has',
  );
  t.is((await rollback(own.client, claim())).to, generationName(own.prefix, 1));
  await t.notThrowsAsync(openListingIndex(own.client));

  await setVersion(2, 1);
  await t.throwsAsync(rollback(own.client, claim()), {
    message: /version 1, .* of the release that made it/,
  });
});

test('the reindex command reports results and errors as JSON', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const empty = await cli(['reindex', '--json', '--prefix', own.prefix]);
  t.is(empty.code, 1);
  t.regex(JSON.parse(empty.out).error, /no listings index/);
  await fill(await own.open(), 10);
  const done = await cliProcess(['reindex', '--json', '--prefix', own.prefix]);
  t.is(done.code, 0);
  t.is(JSON.parse(done.out).documents, 10);
  const status = JSON.parse((await cli(['reindex', 'status', '--json', '--prefix', own.prefix])).out);
  t.is(status.live.index, generationName(own.prefix, 2));
  t.is(status.live.documents, 10);
  t.false(status.templates_changed);
});
