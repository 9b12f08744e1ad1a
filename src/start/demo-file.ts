import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_KEYS, type DemoKeys } from '#accounts/demo.ts';
import { writePrivately } from '#embedded/files.ts';

/** What scripts need to know of a running installation: `demo.json` in the data folder. */
export interface DemoFile {
  base_url: string;
  site_url: string;
  keys: DemoKeys;
}

const NAME = 'demo.json';

/** The keys of an earlier start; those that are not there are left out. */
export async function readDemoKeys(dataDir: string): Promise<Partial<DemoKeys>> {
  try {
    const { keys } = JSON.parse(await readFile(join(dataDir, NAME), 'utf8')) as { keys: Record<string, unknown> };
    return Object.fromEntries(
      DEMO_KEYS.filter((name) => typeof keys[name] === 'string').map((name) => [name, keys[name]]),
    );
  } catch {
    // Not there yet, or broken: the keys are made anew.
    return {};
  }
}

export function writeDemoFile(dataDir: string, demo: DemoFile): Promise<void> {
  return writePrivately(join(dataDir, NAME), `${JSON.stringify(demo, null, 2)}\n`);
}
