import { createOrganization } from '#test/factories.ts';
import { guideScript, openGuideCopy, type Row, searchAll, withoutAge } from '../sync/guide-copy.ts';
import type { Fault } from './fault.ts';
import { openInstallation } from './installation.ts';
import { land, writeFeed } from './land-feed.ts';
import { endProcess, startService } from './processes.ts';
import { until } from './until.ts';

const ADS = 200;
/** Number of rounds with changed feeds. In each round, some ingest runs are killed and one completes. */
const ROUNDS = 3;
/** Time in milliseconds within which an API process must load the last published run. */
const COPY_LIMIT = 15_000;
const SEARCH = { city: 'riyadh', listing_type: 'sale' };

/** Returns the feed for a round. Prices rise and fall, and some ads are removed or return. */
const feedOf = (round: number): string[] =>
  Array.from({ length: ADS }, (_, at) => at)
    .filter((at) => round === 0 || (at + round) % 20 !== 0)
    .map((at) => land(`a${at}`, at, (at * 7 + round) % 4 === 0 ? 1 + round / 50 : 1));

export const fault: Fault = {
  title: 'ingest runs are killed while a copy is kept in sync',
  async happen() {
    const installation = await openInstallation('fault_sync');
    const { dir, env, services, undo } = installation;
    try {
      await writeFeed(dir, feedOf(0));
      const begun = performance.now();
      await installation.ingest();
      const runMs = performance.now() - begun;
      const api = await startService('api', env, 'Serving ');
      undo.push(() => endProcess(api.process, 'SIGTERM'));
      const { key } = await createOrganization(services, { plan: 'enterprise' });
      const copy = await openGuideCopy((await guideScript()).replace(/city: '\w+'/, `city: '${SEARCH.city}'`));
      undo.push(copy.close);
      const sync = async () => {
        const { code, errors } = await copy.run({ api: `${api.url}/v1`, key });
        if (code !== 0) throw new Error(`the script exited with ${code}: ${errors}`);
      };
      await sync();
      let kills = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        await writeFeed(dir, feedOf(round));
        const [completed] = await Promise.all([
          installation.ingest(Math.round(runMs * (0.3 + 0.6 * Math.random()))),
          sync(),
        ]);
        if (!completed) kills++;
        await sync();
      }
      if (kills === 0) throw new Error('no run was killed');
      await installation.ingest();
      await until('an exact copy', COPY_LIMIT, async () => {
        await sync();
        const [shown, held] = [await searchAll(`${api.url}/v1`, key, SEARCH), await copy.listings()];
        if (shown.size < ADS * 0.9) throw new Error(`search returns ${shown.size} listings`);
        const wrong = [...new Set([...shown.keys(), ...held.keys()])].filter(
          (id) => textOf(shown.get(id)) !== textOf(held.get(id)),
        );
        if (wrong.length > 0)
          console.log(`  ${wrong.length} listings differ after ${kills} kills: ${wrong.slice(0, 5)}`);
        return wrong.length === 0;
      });
    } finally {
      await installation.close();
    }
  },
};

const textOf = (row: Row | undefined): string => JSON.stringify(row === undefined ? null : withoutAge(row));
