// `node clients/build/release-contract.ts`: stores the contract of the API as the release for later comparisons. Changes
// that may break a client are printed and refused. With `--check`, nothing is stored.
import { readFile, writeFile } from 'node:fs/promises';
import { endpoints } from '#src/endpoints/index.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import type { Json } from '#src/openapi/schemas.ts';
import { findBreaks } from './compare-contracts.ts';
import { contractOf, printContract, RELEASED } from './contract.ts';

const contract = contractOf(buildOpenApi(endpoints, { serviceName: '', baseUrl: 'https://api.example.com/v1' }));
const breaks = findBreaks(JSON.parse(await readFile(RELEASED, 'utf8')) as Json, contract);
for (const { at, change } of breaks) console.error(`${at}: ${change}`);
if (breaks.length > 0) {
  console.error(`${breaks.length} changes may break clients. They belong in a new version.`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  await writeFile(RELEASED, printContract(contract));
  console.log(`${RELEASED.pathname} has ${endpoints.length} operations.`);
}
