// Builds the clients that the site serves below /downloads, unless they are current: `npm start`, `npm test` and the build of
// the image run this, never a process that serves. The exit code is 1 if a client is missing.
import { createHash } from 'node:crypto';
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKSUMS } from '#domain/process/downloads.ts';
import {
  ARCHIVES,
  canMake,
  clientDocument,
  hasPython,
  installTools,
  makeClients,
  readVersion,
  type Say,
} from './make-clients.ts';

const CLIENTS = join(import.meta.dirname, '..');
const SITE = join(CLIENTS, '..', 'site');
const DOWNLOADS = join(SITE, 'downloads');
/** Besides the document and the version. */
const INPUTS = ['build', 'python', 'typescript', 'tools/package-lock.json', 'tools/requirements.txt'];
/** Digest of all inputs of the last build. */
const STATE = 'state';

const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

async function digestOf(path: string): Promise<string> {
  const names = await readdir(path).catch(() => null);
  if (names === null) return sha256(await readFile(path));
  return sha256((await Promise.all(names.sort().map((name) => digestOf(join(path, name))))).join());
}

/** @returns whether all clients are built */
export async function makeDownloads(say: Say): Promise<boolean> {
  const python = await hasPython();
  const digests = await Promise.all(INPUTS.map((path) => digestOf(join(CLIENTS, path))));
  const state = sha256(JSON.stringify([clientDocument(), await readVersion(), python, digests]));
  if ((await readFile(join(DOWNLOADS, STATE), 'utf8').catch(() => '')) === state) return python;
  const begun = Date.now();
  await installTools(say);
  await makeClients(() => {});
  const made = await mkdtemp(join(SITE, 'building-'));
  try {
    const names = (await readdir(ARCHIVES)).sort();
    await cp(ARCHIVES, made, { recursive: true });
    const lines = await Promise.all(
      names.map(async (name) => `${sha256(await readFile(join(made, name)))}  ${name}\n`),
    );
    await writeFile(join(made, CHECKSUMS), lines.join(''));
    // A client that could not be built is tried again by the next run.
    if (canMake().python === python) await writeFile(join(made, STATE), state);
    // The service may run as another user.
    await chmod(made, 0o755);
    await rm(DOWNLOADS, { recursive: true, force: true });
    await rename(made, DOWNLOADS);
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  say(`Clients built in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
  return canMake().python;
}

if (import.meta.main) {
  const isComplete = await makeDownloads((line) => console.log(line));
  if (!isComplete) console.log('The Python client is not built: it needs Python 3.11 or newer with venv.');
  if (!isComplete) process.exitCode = 1;
}
