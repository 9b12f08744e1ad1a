import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { auditLockFile } from '#clients/audit.ts';
import { LOCKED, type Sbom, writeSboms } from '#clients/sbom.ts';
import { listen } from '#test/listen.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

test('the SBOMs list every package of every lock file, and the pinned engines and Python packages', async (t) => {
  t.timeout(600_000);
  const folder = await temporaryFolder(t);
  const counts = await writeSboms(folder);
  const read = async (name: string) => JSON.parse(await readFile(join(folder, `${name}.cdx.json`), 'utf8')) as Sbom;
  const names = [...Object.keys(LOCKED), 'engines', 'go', 'python'];
  t.deepEqual(Object.keys(counts).sort(), names.map((name) => `${name}.cdx.json`).sort());
  for (const name of names) {
    const { bomFormat, specVersion, components } = await read(name);
    t.is(`${bomFormat} ${specVersion}`, 'CycloneDX 1.5');
    for (const { purl, version } of components) t.true(purl.startsWith('pkg:') && purl.includes(`@${version}`), purl);
  }
  const engines = (await read('engines')).components.map(({ name }) => name);
  t.deepEqual(engines.sort(), ['jackson-bom', 'maven-dependency-plugin', 'opensearch', 's3proxy']);
  t.true((await read('go')).components.some(({ name }) => name === 'github.com/oapi-codegen/runtime'));
  t.true((await read('python')).components.some(({ purl }) => purl.startsWith('pkg:pypi/httpx@')));
});

/** The package in the registry. */
const LEFT = {
  name: 'left',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'left', version: '1.0.0', dist: { tarball: 'http://127.0.0.1:9/left.tgz' } } },
};

/** Audits a lock file with one package against a registry that returns this response. */
async function auditAgainst(t: ExecutionContext, status: number, body: object) {
  const { url, close } = await listen(
    createServer((request, response) => {
      request.resume();
      const [code, content] = request.method === 'POST' ? [status, body] : [200, LEFT];
      response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(content));
    }),
  );
  t.teardown(close);
  const folder = await temporaryFolder(t);
  const root = { name: 'a', version: '1.0.0', dependencies: { left: '1.0.0' } };
  const packages = { '': root, 'node_modules/left': { version: '1.0.0' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(root));
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...root, lockfileVersion: 3, packages }));
  return auditLockFile(folder, { ...process.env, npm_config_registry: `${url}/`, npm_config_cache: folder });
}

const advisory = (severity: string) => ({
  left: [{ id: 1, url: 'a', title: 'b', severity, vulnerable_versions: '<2.0.0', cwe: [], cvss: {} }],
});

test('an audit fails on a high-severity advisory, only reports a low-severity one, and is skipped if the registry refuses it', async (t) => {
  t.timeout(600_000);
  t.deepEqual(await auditAgainst(t, 200, advisory('low')), { state: 'passed', lines: ['low: left *'] });
  t.deepEqual(await auditAgainst(t, 200, advisory('high')), { state: 'failed', lines: ['high: left *'] });
  t.is((await auditAgainst(t, 405, {})).state, 'skipped');
});
