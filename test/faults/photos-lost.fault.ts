import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { runIngest } from '#ingest/run-ingest.ts';
import { createPool } from '#postgres/pool.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { openServices } from '#src/open-services.ts';
import { testConfig } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { listen } from '#test/listen.ts';
import { png } from '#test/pictures.ts';
import { ad, testSource } from '../ingest/run/pipeline.ts';
import type { Fault, Stage } from './fault.ts';

const LISTINGS = 20;
const PHOTOS = 3;
const CLI = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/**
 * Deletes all photos of a source's listings from the CDN bucket while clients request them. The feed and photos of the
 * source are served by this file.
 */
export const fault: Fault = {
  title: 'photos are deleted from the CDN bucket, and fetched again',
  async happen({ main, second, fail }) {
    const { host, close: closeHost } = await listen(
      createServer((request, response) => {
        const number = Number(/^\/(\d+)\.png$/.exec(request.url ?? '')?.[1]);
        response.writeHead(200).end(png(number));
      }),
    );
    const config = testConfig({ INDEX_PREFIX: '' });
    const { services, close } = await openServices(config);
    const pool = createPool(config.databaseUrl, { max: 6, statementTimeout: 60_000 });
    try {
      const source = testSource('photos_lost');
      source.feed = Array.from({ length: LISTINGS }, (_, at) =>
        ad(`lost${at}`, {
          photos: Array.from({ length: PHOTOS }, (_, photo) => `http://${host}/${at * PHOTOS + photo}.png`),
        }),
      );
      const { s3, opensearch } = services;
      const bucket = config.s3.cdnBucket;
      await runIngest({
        pool,
        s3,
        listingIndex: await openListingIndex(opensearch),
        sources: [source],
        photos: { bucket, privateHosts: [host] },
        lockWait: 60_000,
      });
      const { rows } = await pool.query<{ id: number; photos: string }>(
        'select id, photos from listings where source = $1 and served order by id',
        [source.name],
      );
      const { key } = await createOrganization(services, { plan: 'enterprise' });
      const keys = rows.flatMap(({ photos }) => photos.split(' '));
      if (keys.length !== LISTINGS * PHOTOS) fail(`${keys.length} photos are stored`);
      const watch = watchListings({ main, second }, key, rows);
      await Promise.all(keys.map((Key) => s3.send(new DeleteObjectCommand({ Bucket: bucket, Key }))));
      await watch.rounds(3);
      if (watch.missing() === 0) fail('no photo was missing');
      const env = { ...process.env, FEEDS_DIR: import.meta.dirname, FEEDS_HOST_URL: `http://${host}` };
      const held = await runCli(env, ['photos', 'verify', '--repair']);
      if (held.code !== 1 || held.report?.held !== true) fail(`not held: ${JSON.stringify(held)}`);
      const repaired = await runCli(env, ['photos', 'verify', '--repair', '--confirm-loss']);
      if (repaired.code !== 0 || repaired.report?.restored !== keys.length)
        fail(`not repaired: ${JSON.stringify(repaired)}`);
      const before = watch.missing();
      await watch.rounds(3);
      if (watch.missing() !== before) fail('photos are missing after the repair');
      for (const unexpected of await watch.stop()) fail(unexpected);
    } finally {
      await close();
      await pool.end();
      await closeHost();
    }
  },
};

/** Repeatedly requests all listings and their photos from both nodes. */
function watchListings(
  { main, second }: Pick<Stage, 'main' | 'second'>,
  key: string,
  listings: readonly { id: number; photos: string }[],
) {
  const headers = { Authorization: `Bearer ${key}` };
  const unexpected = new Map<string, number>();
  let missing = 0;
  let rounds = 0;
  let waiting: (() => void)[] = [];
  let stopped = false;
  const get = async (kind: 'photo' | 'listing', url: string): Promise<void> => {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(15_000) });
    const body = await response.text();
    const code = response.status === 200 ? 'ok' : /"code":"(\w+)"/.exec(body)?.[1];
    const answer = `${kind} ${response.status} ${code}`;
    if (answer === 'photo 404 not_found') missing += 1;
    else if (response.status !== 200) unexpected.set(answer, (unexpected.get(answer) ?? 0) + 1);
  };
  const running = (async () => {
    for (; !stopped; rounds++) {
      for (const { url } of [main, second])
        for (const { id, photos } of listings)
          await Promise.all([
            get('listing', `${url}/v1/listings/${id}`),
            ...photos.split(' ').map((photo) => get('photo', `${url}/cdn/${photo}`)),
          ]);
      for (const resolve of waiting.splice(0)) resolve();
    }
  })();
  running.catch(() => {});
  return {
    missing: () => missing,
    /** Waits until the given number of additional rounds has ended. */
    async rounds(count: number): Promise<void> {
      for (const last = rounds + count; rounds < last; )
        await Promise.race([running, new Promise<void>((resolve) => waiting.push(resolve))]);
    },
    async stop(): Promise<string[]> {
      stopped = true;
      await running;
      waiting = [];
      return [...unexpected].map(([answer, times]) => `${times} × ${answer}`);
    },
  };
}

interface Repair {
  held: boolean;
  restored: number;
}

function runCli(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<{ code: number; report: Repair | null }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [CLI, '--json', ...args], { env }, (error, stdout) => {
      let report: Repair | null = null;
      try {
        report = JSON.parse(stdout) as Repair;
      } catch {
        // The failure is reported by the exit code.
      }
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, report });
    });
  });
}
