// Runs before `npm start` and `npm test`, with Node 18 or newer, before any package is installed. It is therefore plain
// JavaScript and uses only modules of Node.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildClients } from './install/clients.mjs';
import { installDependencies } from './install/dependencies.mjs';
import { checkTools, installOpenSearch } from './install/opensearch.mjs';
import { installS3Proxy } from './install/s3proxy.mjs';
import { Problem, say } from './install/say.mjs';
import { buildSite } from './install/site.mjs';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const ownOpenSearch = Boolean(process.env.OPENSEARCH_URL);
const ownS3 = Boolean(process.env.S3_ENDPOINT);

try {
  if (Number(process.versions.node.split('.')[0]) < 18)
    throw new Problem(`Node.js ${process.versions.node} is too old.`, ['Install Node.js 18 or newer, with npm.']);
  if (!(ownOpenSearch && ownS3)) await checkTools(project, process.env);
  await installDependencies(project, process.env);
  await buildSite(project);
  const clients = buildClients(project);
  if (!ownOpenSearch) await installOpenSearch(project, process.env);
  if (!ownS3) await installS3Proxy(project, process.env);
  await clients;
} catch (error) {
  if (!(error instanceof Problem)) throw error;
  say(`\n${error.message}\n`);
  process.exitCode = 1;
}
