// Runs before scripts that install nothing, with Node 18 or newer. Ends them with the command to run if a package is missing.
//
//   node embedded/require.mjs                the packages of the project, and Node 24
//   node embedded/require.mjs tools/lint     also those of a folder with packages
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const missing = existsSync(join(project, 'node_modules', '.bin', 'node'))
  ? process.argv.slice(2).filter((folder) => !existsSync(join(project, folder, 'node_modules')))
  : null;
if (missing === null) console.error('The packages are not installed. Run: node embedded/install.mjs');
for (const folder of missing ?? []) console.error(`Packages are not installed. Run: npm ci --prefix ${folder}`);
if (missing?.length !== 0) process.exitCode = 1;
