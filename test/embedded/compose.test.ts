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
  mem_limit?: string;
  cap_drop?: string[];
  security_opt?: string[];
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

test('docker-compose.yml has three OpenSearch nodes of the embedded version, each eligible as cluster manager', async (t) => {
  const { services } = await compose();
  const install = await readFile(join(PROJECT, 'embedded', 'install', 'opensearch.mjs'), 'utf8');
  const version = /VERSION = '([\d.]+)'/.exec(install)?.[1];
  const nodes = Object.entries(services).filter(([, { image }]) => image === `opensearchproject/opensearch:${version}`);
  t.is(nodes.length, 3);
  const names = nodes.map(([name]) => name).join(',');
  for (const [, { environment = {} }] of nodes)
    for (const setting of ['discovery.seed_hosts', 'cluster.initial_cluster_manager_nodes'])
      t.is(environment[setting], names);
});

test('docker-compose.yml and Dockerfile name complete versions of images', async (t) => {
  const dockerfile = await readFile(join(PROJECT, 'Dockerfile'), 'utf8');
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  const images = Object.values((await compose()).services).flatMap(({ image }) => image ?? []);
  for (const image of [...images, ...bases]) t.regex(image, /:v?\d+\.\d+(\.\d+)?(-|$)/);
  const { dependencies } = JSON.parse(await readFile(join(PROJECT, 'embedded', 'node', 'package.json'), 'utf8'));
  for (const base of bases) t.is(base, `node:${dependencies.node}-bookworm-slim`);
});

test('containers of docker-compose.yml have a memory limit, no capabilities but named ones, and gain no privileges', async (t) => {
  for (const [name, service] of Object.entries((await compose()).services)) {
    t.regex(service.mem_limit ?? '', /^(\$\{OPENSEARCH_MEMORY:-)?\d+[mg]\}?$/, name);
    t.deepEqual(service.cap_drop, ['ALL'], name);
    t.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
  }
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
