import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '#src/config.ts';
import { VARIABLE_NAMES } from '#src/variables.ts';
import { ROLES } from '#start/roles.ts';
import { test } from '#test/test.ts';

interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
}

interface Service {
  command?: string | string[];
  environment?: Record<string, string>;
  image?: string;
  logging?: { options: Record<string, string> };
  build?: string;
  volumes?: string[];
}

const PROJECT = join(import.meta.dirname, '..', '..');

async function compose(): Promise<Compose> {
  return parse(await readFile(join(PROJECT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
}

for (const role of ['api', 'worker', 'webhooks']) {
  test(`the ${role} service in docker-compose.yml runs an existing role with a complete configuration`, async (t) => {
    const service = (await compose()).services[role];
    t.is(service?.command, `node src/main.ts ${role}`);
    t.true(role in ROLES);
    const environment = service?.environment ?? {};
    const known = new Set<string>(VARIABLE_NAMES);
    t.deepEqual(
      Object.keys(environment).filter((name) => !known.has(name)),
      [],
    );
    // Replaces variables as Docker does: by their defaults, or by values of the operator.
    const set = JSON.stringify(environment).replace(
      /\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/g,
      (_, fallback) => fallback ?? 'x'.repeat(32),
    );
    t.notThrows(() => readConfig(JSON.parse(set)), 'no required variable is missing');
  });
}

test('docker-compose.yml has two OpenSearch nodes of the same version as the embedded one', async (t) => {
  const { services } = await compose();
  const images = Object.values(services).map(({ image }) => image);
  const install = await readFile(join(PROJECT, 'embedded', 'install', 'opensearch.mjs'), 'utf8');
  const version = /VERSION = '([\d.]+)'/.exec(install)?.[1];
  t.is(images.filter((image) => image === `opensearchproject/opensearch:${version}`).length, 2);
});

test('docker-compose.yml configures the API with every OpenSearch node and with the buckets that it creates', async (t) => {
  const { services } = await compose();
  const nodes = Object.keys(services).filter((name) => services[name]?.image?.startsWith('opensearchproject/'));
  const environment = services.api?.environment ?? {};
  t.is(environment.OPENSEARCH_URL, nodes.map((name) => `http://${name}:9200`).join(','));
  const [command] = services.s3?.command ?? [];
  for (const bucket of [environment.CDN_BUCKET, environment.EXPORTS_BUCKET])
    t.regex(command ?? '', new RegExp(`mkdir -p [^&]*/data/${bucket} `));
  t.is(environment.S3_ENDPOINT, `http://s3:${/--port :(\d+)/.exec(command ?? '')?.[1]}`);
});

test('secrets in docker-compose.yml have no default, and the error for a missing one states its purpose', async (t) => {
  const text = await readFile(join(PROJECT, 'docker-compose.yml'), 'utf8');
  const given = [...text.matchAll(/\$\{(\w+)(:[-?])([^}]*)\}/g)];
  const secrets = given.filter(([, name]) => /PASSWORD|SECRET|KEY|PEPPER/.test(name ?? ''));
  t.true(secrets.length >= 4);
  for (const [, name, operator, message] of secrets) {
    t.is(operator, ':?', name);
    t.regex(message ?? '', new RegExp(`^Set ${name} to `), name);
  }
  for (const { environment = {} } of Object.values((await compose()).services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|ACCESS_KEY|PEPPER|^DATABASE_URL$/.test(name)) t.regex(value, /\$\{\w+:\?/, name);
  for (const file of ['.gitignore', '.dockerignore'])
    t.regex(await readFile(join(PROJECT, file), 'utf8'), /^\.env$/m, 'the file with the secrets is ignored by git');
});

test('docker-compose.yml rotates the log of every container', async (t) => {
  for (const [name, { logging }] of Object.entries((await compose()).services)) {
    t.regex(logging?.options['max-size'] ?? '', /^\d+m$/, name);
    t.regex(logging?.options['max-file'] ?? '', /^\d+$/, name);
  }
});

test('the image contains every folder that the service imports from', async (t) => {
  const dockerfile = await readFile(join(PROJECT, 'Dockerfile'), 'utf8');
  for (const folder of ['src', 'queries', 'ingest', 'embedded', 'index-templates'])
    t.regex(dockerfile, new RegExp(`^COPY ${folder} ${folder}$`, 'm'));
});

test('the image contains the optional packages with the binaries of sharp', async (t) => {
  const dockerfile = await readFile(join(PROJECT, 'Dockerfile'), 'utf8');
  const { packages } = JSON.parse(await readFile(join(PROJECT, 'package-lock.json'), 'utf8'));
  t.true(packages['node_modules/@img/sharp-linux-x64'].optional);
  const installs = dockerfile.match(/^RUN npm ci .*$/gm) ?? [];
  t.is(installs.length, 2);
  for (const command of installs) t.notRegex(command, /--omit=optional|@img/);
});

test('the image has a font with Arabic letters, for the preview images of pages', async (t) => {
  const dockerfile = await readFile(join(PROJECT, 'Dockerfile'), 'utf8');
  const image = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  t.regex(image, /^RUN apt-get .*fontconfig-config fonts-dejavu-core/m);
});
