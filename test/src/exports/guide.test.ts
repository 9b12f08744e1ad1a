import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childOutput } from '#test/child-output.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { type ExportApp, startExportApp } from './app.ts';

let app: ExportApp;
test.before(async () => {
  app = await startExportApp('exports_guide', { worker: { rowsPerPart: 40 } });
});
test.after(() => app?.close());

/**
 * Returns whether a requirement in a block's `# needs:` line is installed: a command, or a module such as
 * `python3:pandas`.
 */
function isHere(tool: string): boolean {
  const [command = '', module] = tool.split(':');
  const args = module === undefined ? ['-c', `command -v ${command}`] : ['-c', `import ${module}`];
  return spawnSync(module === undefined ? 'bash' : command, args, { timeout: 30_000 }).status === 0;
}

test('every command in docs/exports.md works as described if its tools are installed', async (t) => {
  const { key } = await createOrganization(app.services);
  const city = (await app.addCity()).slug;
  await indexListings(
    app.services,
    Array.from({ length: 100 }, (_, index) =>
      makeListing({
        location: { city },
        title: index % 3 === 0 ? null : `=1+1 "شقة", \\ ${index}`,
        description: `سطر أول\nسطر ثان \\n \\N ${index}`,
        amenities: index % 2 ? ['lift', 'pool'] : [],
        bedrooms: 2 + (index % 3),
      }),
    ),
  );
  const guide = await readFile(join(import.meta.dirname, '..', '..', '..', 'docs', 'exports.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block as string);
  t.true(blocks.length >= 9);
  const here = new Map<string, boolean>();
  const folder = await temporaryFolder(t);
  const database = await createDatabase('exports_guide_copy');
  let ran = 0;
  for (const block of blocks) {
    const needs = /^# needs: (.*)$/m.exec(block)?.[1]?.split(' ') ?? [];
    t.true(needs.length > 0, block);
    for (const tool of needs) if (!here.has(tool)) here.set(tool, isHere(tool));
    const missing = needs.filter((tool) => !here.get(tool));
    if (missing.length > 0) {
      t.log(`skipped, ${missing.join(', ')} not installed: ${block.split('\n')[1]}`);
      continue;
    }
    const child = spawn('bash', ['-euo', 'pipefail', '-c', block], {
      cwd: folder,
      env: { ...process.env, API: `${app.url}/v1`, KEY: key, CITY: city, DATABASE: database, POLL_SECONDS: '0.1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    const { code, errors } = await childOutput(child);
    t.is(code, 0, `${block}\n${errors}`);
    ran++;
  }
  t.log(`${ran} of ${blocks.length} blocks were run`);
});
