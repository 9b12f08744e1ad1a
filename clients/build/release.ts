// `npm run release`: clients in clients/dist and site/downloads, from the OpenAPI document, and software bills of materials.
import { join } from 'node:path';
import { makeDownloads } from './downloads.ts';
import { DIST, installTestTools } from './make-clients.ts';
import { writeSboms } from './sbom.ts';

const say = (line: string): void => console.log(line);
await makeDownloads(say);
await installTestTools(say);
for (const [file, components] of Object.entries(await writeSboms(join(DIST, 'sbom'))))
  say(`SBOM: ${join(DIST, 'sbom', file)}, ${components} components`);
