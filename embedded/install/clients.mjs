import { join } from 'node:path';
import { run } from './run.mjs';
import { say } from './say.mjs';

/**
 * Builds the clients that users download from the site. Never fails: the service runs without them, and its pages state it.
 * @param {string} project
 */
export async function buildClients(project) {
  const program = join('clients', 'build', 'downloads.ts');
  const options = { cwd: project, timeoutMs: 900_000, label: 'clients' };
  const { code, output } = await run(join(project, 'node_modules', '.bin', 'node'), [program], options);
  const [last] = output.trim().split('\n').slice(-1);
  if (last) say(last);
  if (code !== 0) say(`Clients are missing below /downloads. To see why: node ${program}`);
}
