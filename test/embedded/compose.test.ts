import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { readConfig } from '#src/config.ts';
import { ROLES } from '#start/roles.ts';
import { knownVariables } from '#test/env.ts';

interface Compose {
  services: Record<string, { command?: string; environment?: Record<string, string>; image?: string }>;
}

const PROJECT = join(import.meta.dirname, '..', '..');

async function compose(): Promise<Compose> {
  return parse(await readFile(join(PROJECT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
}

for (const role of ['api', 'worker']) {
  test(`${role} in docker-compose.yml is a role that starts, with variables that the configuration knows`, async (t) => {
    const service = (await compose()).services[role];
    t.is(service?.command, `node src/main.ts ${role}`);
    t.true(role in ROLES);
    const environment = service?.environment ?? {};
    const known = knownVariables();
    t.deepEqual(
      Object.keys(environment).filter((name) => !known.has(name)),
      [],
    );
    t.notThrows(() => readConfig(environment), 'nothing that is needed is missing');
  });
}

test('docker-compose.yml has two OpenSearch nodes of the version that the embedded one has', async (t) => {
  const { services } = await compose();
  const images = Object.values(services).map(({ image }) => image);
  const install = await readFile(join(PROJECT, 'embedded', 'install', 'opensearch.mjs'), 'utf8');
  const version = /VERSION = '([\d.]+)'/.exec(install)?.[1];
  t.is(images.filter((image) => image === `opensearchproject/opensearch:${version}`).length, 2);
});

test('the image holds every folder that the service is imported from', async (t) => {
  const dockerfile = await readFile(join(PROJECT, 'Dockerfile'), 'utf8');
  for (const folder of ['src', 'queries', 'ingest', 'embedded', 'index-templates'])
    t.regex(dockerfile, new RegExp(`^COPY ${folder} ${folder}$`, 'm'));
});
