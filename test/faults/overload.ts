import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '#test/eventually.ts';
import { startLoad } from '#test/load.ts';
import type { Fault } from './fault.ts';

/** Parallel requests and seconds by which the peak is measured. */
const CONNECTIONS = 8;
const PEAK_SECONDS = 5;
/** The flood has this many times the peak, in requests per second, up to what one process can send. */
const TIMES = 20;
const MAX_PER_SECOND = 1_000;
const SECONDS = 10;
/** Minimum share of the peak that is served during the flood. */
const MIN_GOODPUT = 0.5;
const SETTLE_LIMIT = 30_000;

export const overload: Fault = {
  title: 'another organization requests 20 times as many different statistics as two nodes can compute',
  spares: 'load',
  happen: async (stage) => {
    const { id, key } = await stage.organization();
    const origins = [stage.main.url, stage.second.url];
    const peak = await measurePeak(origins, key);
    if (peak.perSecond === 0) throw new Error('no statistics within 5 s: the machine is too busy to measure the peak');
    const perSecond = Math.min(MAX_PER_SECOND, Math.ceil(TIMES * peak.perSecond));
    const paths = Array.from({ length: perSecond * SECONDS }, (_, at) => pathOf(peak.sent + at));
    const flood = startLoad({ origins, key, paths, perSecond });
    await sleep(SECONDS * 1_000);
    const goodput = (flood.report.answers['200 ok'] ?? 0) / SECONDS / peak.perSecond;
    const { units, answers, lost } = await flood.stop();
    const rounded = Math.round(goodput * 100) / 100;
    const measured = { peak: peak.perSecond, perSecond, goodput: rounded, machineLoad: Math.round(loadavg()[0] ?? 0) };
    console.log(`  the flood: ${JSON.stringify({ ...measured, answers, lost, units })}`);
    const unexpected = Object.keys(answers).filter((answer) => !['200 ok', '503 internal_error'].includes(answer));
    if (unexpected.length > 0) throw new Error(`the flood received ${unexpected.join(', ')}`);
    if (!answers['503 internal_error']) throw new Error('the flood did not exceed the capacity');
    await eventually(async () => (await stage.unitsOf({ id })) === peak.units + units, SETTLE_LIMIT, 250);
    if (goodput < MIN_GOODPUT) throw new Error(`goodput of ${measured.goodput} of the peak`);
  },
};

/** All paths differ, so that no result is cached. */
function pathOf(at: number): string {
  const kind = ['neighborhoods', 'summary', 'rental-yield'][at % 3];
  const area = `area_min=${1 + (at % 200)}&area_max=${1_000 + Math.floor(at / 200)}`;
  return `/v1/market/${kind}?city=riyadh${kind === 'rental-yield' ? '' : '&listing_type=sale'}&${area}`;
}

/** Sends a request as soon as one has its response, so that none waits for its turn. */
async function measurePeak(origins: readonly string[], key: string) {
  const peak = { perSecond: 0, sent: 0, units: 0 };
  const deadline = performance.now() + PEAK_SECONDS * 1_000;
  const ask = async (_: unknown, connection: number): Promise<void> => {
    while (performance.now() < deadline) {
      const url = `${origins[connection % origins.length]}${pathOf(peak.sent++)}`;
      const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
      await response.arrayBuffer();
      if (!response.ok) continue;
      peak.units += Number(response.headers.get('X-Request-Units'));
      if (performance.now() < deadline) peak.perSecond += 1 / PEAK_SECONDS;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  return { ...peak, perSecond: Math.round(peak.perSecond * 10) / 10 };
}
