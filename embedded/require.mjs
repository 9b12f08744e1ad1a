// Runs before scripts that install nothing, with Node 18 or newer. Ends them with the command to run if a package is missing, or
// of another version than `package.json` states.
//
//   node embedded/require.mjs                the packages of the project, and Node 24
//   node embedded/require.mjs tools/lint     also those of a folder with packages
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const read = (/** @type {string[]} */ ...path) =>
  JSON.parse(readFileSync(join(project, ...path, 'package.json'), 'utf8'));
/** @param {string} folder */
function isInstalled(folder) {
  try {
    const { dependencies } = read(folder);
    return Object.keys(dependencies).every((name) => read(folder, 'node_modules', name).version === dependencies[name]);
  } catch {
    return false;
  }
}

const missing = existsSync(join(project, 'node_modules', '.bin', 'node'))
  ? process.argv.slice(2).filter((folder) => !isInstalled(folder))
  : null;
if (missing === null) console.error('The packages are not installed. Run: node embedded/install.mjs');
for (const folder of missing ?? [])
  console.error(`Packages are not installed, or not up to date. Run: npm ci --prefix ${folder}`);
if (missing?.length !== 0) process.exitCode = 1;
