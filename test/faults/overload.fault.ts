import { setTimeout as sleep } from 'node:timers/promises';
import { startLoad } from '#test/load.ts';
import type { Fault, Stage } from './fault.ts';

/** Number of statistics requests per second, far more than two nodes on one machine can process. */
const PER_SECOND = 200;
const SECONDS = 10;
const SETTLE_LIMIT = 30_000;

export const fault: Fault = {
  title: 'another organization requests 200 different statistics per second',
  spares: 'load',
  happen: async (stage) => {
    const { main, second } = stage;
    const { id, key } = await stage.organization();
    // All paths differ, so that no result is cached.
    const paths = Array.from({ length: PER_SECOND * SECONDS }, (_, at) => {
      const kind = ['neighborhoods', 'summary', 'rental-yield'][at % 3];
      return `/v1/market/${kind}?city=riyadh${kind === 'rental-yield' ? '' : '&listing_type=sale'}&area_min=${at + 1}`;
    });
    const flood = startLoad({ origins: [main.url, second.url], key, paths, perSecond: PER_SECOND });
    await sleep(SECONDS * 1_000);
    const { units, answers, lost } = await flood.stop();
    console.log(`  the flood: ${JSON.stringify({ answers, lost, units })}`);
    const unexpected = Object.keys(answers).filter((answer) => !['200 ok', '503 internal_error'].includes(answer));
    if (unexpected.length > 0) throw new Error(`the flood received ${unexpected.join(', ')}`);
    if (!answers['503 internal_error']) throw new Error('the flood did not exceed the capacity');
    await settled(stage, { id }, units);
  },
};

/** Waits until the units charged to an organization equal those of its successful calls. */
async function settled({ unitsOf }: Stage, organization: { id: number }, units: number): Promise<void> {
  for (const deadline = Date.now() + SETTLE_LIMIT; ; await sleep(250)) {
    const drift = (await unitsOf(organization)) - units;
    if (drift === 0) return;
    if (Date.now() > deadline) throw new Error(`drift of ${drift} units in charges of the flood`);
  }
}
