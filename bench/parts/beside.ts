import type { ApiProcess } from '../api-process.ts';
import type { Bench, PartResult } from '../bench.ts';
import {
  callsOf,
  draw,
  measure,
  observe,
  openPacedLoad,
  type PacedLoad,
  resultOf,
  startPacedApi,
} from '../load/paced-load.ts';
import { reindexListings } from './reindex.ts';

/** Calls per second beside other work. */
const STEADY_RATE = 60;
/** Calls per second to two API processes. */
const RATES_OF_TWO = [300, 400];
/** Listings of the ingest run, in a database and indexes of their own: a number that the measured listings do not have. */
const INGESTED = 19_999;
/** The longest work. The requests beside it are prepared before. */
const MAX_WORK_S = 300;

/** Sends the calls of `paced` beside an ingest run and a fill, and to two API processes. */
export async function beside(bench: Bench): Promise<PartResult> {
  const load = await openPacedLoad(bench);
  await using api = await startPacedApi(load);
  await during(load, 'beside an ingest run', api, () => bench.ingestOthers(bench.quick ? 999 : INGESTED));
  await during(load, 'beside a fill', api, () => reindexListings(bench, load.corpus));
  await using second = await startPacedApi(load);
  for (const rate of bench.quick ? RATES_OF_TWO.slice(0, 1) : RATES_OF_TWO)
    await measure(load, `two API processes, ${rate}/s`, [api, second], rate);
  return resultOf(load);
}

/** Sends calls until other work has ended. */
async function during(load: PacedLoad, title: string, api: ApiProcess, work: () => Promise<unknown>) {
  const calls = callsOf(load, await draw(load, STEADY_RATE * (load.bench.quick ? 60 : MAX_WORK_S)), [api]);
  const working = work();
  working.catch(() => {});
  await observe(load, title, [api], { calls, rate: STEADY_RATE, until: working });
  await working;
}
