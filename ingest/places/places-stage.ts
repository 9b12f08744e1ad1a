import * as sql from '#stores/postgres/rows.ts';
import { copyNumber, copyToTemporary } from '../postgres/copy-in.ts';
import { copyOut, number, numberOrNull } from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { NeighborhoodVote } from './neighborhood-vote.ts';

const VOTER = { lat: number('lat'), lng: number('lng'), neighborhood: number('neighborhood_id') };
const AD = { id: number('id'), lat: number('lat'), lng: number('lng'), neighborhood: numberOrNull('neighborhood_id') };

/** The run's ads with a point but without a stated neighborhood. */
const UNPLACED = 'content_run = $1 and lat is not null and not neighborhood_stated';

/**
 * For ads that state no neighborhood. An ad within a boundary keeps its neighborhood. For others, the nearest ads vote:
 * without a majority, the ad gets none; without voters, it keeps the nearest center.
 */
export function placesStage(context: RunContext): Promise<void> {
  return runStage(context, 'places', async () => {
    const counts = { bounded: 0, voted: 0, split: 0, center: 0 };
    const rows = await sql.queryRows(
      context.pool,
      { city: sql.text },
      `select distinct city from listings where ${UNPLACED} order by city`,
      [context.run.id],
    );
    // Only one city is in memory at a time.
    const lines: string[] = [];
    for (const { city } of rows) await placeCity(context, city, counts, lines);
    return async (client) => {
      await copyToTemporary(client, 'placed (id bigint, neighborhood_id integer)', lines);
      await client.query(
        `update listings l set neighborhood_id = p.neighborhood_id, ${touchVersion('$1')} from placed p where p.id = l.id`,
        [context.run.id],
      );
      return {
        kept: counts.bounded + counts.voted + counts.center,
        dropped: { split_vote: counts.split },
        details: { by_boundary: counts.bounded, by_vote: counts.voted, by_center: counts.center },
      };
    };
  });
}

/** @param lines receives changes for COPY */
async function placeCity(
  context: RunContext,
  city: string,
  counts: { bounded: number; voted: number; split: number; center: number },
  lines: string[],
): Promise<void> {
  const vote = new NeighborhoodVote();
  const ofCity = `from listings where city = '${city}' and lat is not null`;
  // Ordered, so that the limited number of voters per cell is deterministic.
  const voters = `${ofCity} and neighborhood_stated and neighborhood_id is not null order by id`;
  for await (const rows of copyOut(context, VOTER, voters)) for (const row of rows) vote.add(row, row.neighborhood);
  const unplaced = `${ofCity} and ${UNPLACED.replace('$1', String(context.run.id))}`;
  for await (const rows of copyOut(context, AD, unplaced)) {
    for (const row of rows) {
      if (context.boundaries.neighborhoodAt(row)?.city === city) {
        counts.bounded++;
        continue;
      }
      const neighborhood = vote.of(row);
      counts[neighborhood === undefined ? 'center' : neighborhood === null ? 'split' : 'voted']++;
      if (neighborhood !== undefined && neighborhood !== row.neighborhood)
        lines.push(`${row.id}\t${copyNumber(neighborhood)}`);
    }
  }
}
