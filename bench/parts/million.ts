import type { ApiCaller } from '../api-process.ts';
import { type Bench, figure, type PartResult } from '../bench.ts';
import { LoadGenerator } from '../load/generator.ts';
import type { PacedCall } from '../load/open-loop.ts';
import { callsOf, differences, draw, openPacedLoad, resultOf, startPacedApi } from '../load/paced-load.ts';
import { openProcessorTimes } from '../processes.ts';
import { MIXED_KINDS } from '../requests/mixed.ts';

/** Calls of one kind, one at a time, for their processor time; as many before them, unmeasured, until their code is compiled. */
const CALLS_OF_KIND = 400;

/** Processor time of a million calls of each kind, in all processes without the load. */
export async function million(bench: Bench): Promise<PartResult> {
  const load = await openPacedLoad(bench);
  await using api = await startPacedApi(load);
  const read = await openProcessorTimes(load.corpus, [api.pid]);
  const count = bench.quick ? 20 : CALLS_OF_KIND;
  for (const kind of MIXED_KINDS) {
    const requests = callsOf(load, await draw(load, 2 * count, kind), [api]).map(({ request }) => request);
    const warm = requests.splice(count);
    await run(api, warm);
    const before = await read();
    const { failures } = await run(api, requests);
    const { load: _, ...used } = differences(await read(), before);
    // A millisecond for a call is a thousand seconds for a million.
    const seconds = (1_000 * Object.values(used).reduce((sum, ms) => sum + ms, 0)) / count;
    load.figures.push(figure(`${kind}: a million calls`, failures > 0 ? Number.NaN : seconds, 's of processor time'));
  }
  return resultOf(load);
}

async function run({ origin }: ApiCaller, requests: PacedCall['request'][]) {
  const generator = new LoadGenerator({ origin, requests });
  const slice = await generator.run({ connections: 1, count: requests.length });
  await generator.close();
  return slice;
}
