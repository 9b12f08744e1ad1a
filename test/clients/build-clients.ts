import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientDocument, DIST, makeClients } from '#clients/make-clients.ts';

/** Builds the clients if those in `clients/dist` are of another document. */
export async function buildClients(): Promise<void> {
  const made = await readFile(join(DIST, 'openapi.json'), 'utf8').catch(() => '{}');
  if (JSON.stringify(JSON.parse(made)) !== JSON.stringify(clientDocument())) await makeClients(() => {});
}
