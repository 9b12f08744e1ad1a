import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_KEYS, type DemoKeys } from '#accounts/demo.ts';
import { writePrivately } from '#embedded/files.ts';

/** Content of `demo.json` in the data folder, for scripts that use a running installation. */
export interface DemoFile {
  base_url: string;
  site_url: string;
  keys: DemoKeys;
}

const NAME = 'demo.json';

/** Returns the keys of an earlier start. */
export async function readDemoKeys(dataDir: string): Promise<Partial<DemoKeys>> {
  try {
    const { keys } = JSON.parse(await readFile(join(dataDir, NAME), 'utf8')) as { keys: Record<string, unknown> };
    return Object.fromEntries(
      DEMO_KEYS.filter((name) => typeof keys[name] === 'string').map((name) => [name, keys[name]]),
    );
  } catch {
    // If the file is missing or invalid, new keys are created.
    return {};
  }
}

export function writeDemoFile(dataDir: string, demo: DemoFile): Promise<void> {
  return writePrivately(join(dataDir, NAME), `${JSON.stringify(demo, null, 2)}\n`);
}
