import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '#src/config.ts';
import { VARIABLE_NAMES } from '#src/variables.ts';
import { ROLES } from '#start/roles.ts';
import { test } from '#test/test.ts';

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

const read = (name: string): string => readFileSync(join(PROJECT, name), 'utf8');
const COMPOSE = read('docker-compose.yml');
const DOCKERFILE = read('Dockerfile');
const { services } = parse(COMPOSE, { merge: true }) as { services: Record<string, Service> };

for (const role of ['api', 'worker', 'webhooks']) {
  test(`the ${role} service in docker-compose.yml runs an existing role with a complete configuration`, (t) => {
    const service = services[role];
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

test('docker-compose.yml has three OpenSearch nodes of the embedded version, each eligible as cluster manager', (t) => {
  const version = /VERSION = '([\d.]+)'/.exec(read('embedded/install/opensearch.mjs'))?.[1];
  const nodes = Object.entries(services).filter(([, { image }]) => image === `opensearchproject/opensearch:${version}`);
  t.is(nodes.length, 3);
  const names = nodes.map(([name]) => name).join(',');
  for (const [, { environment = {} }] of nodes)
    for (const setting of ['discovery.seed_hosts', 'cluster.initial_cluster_manager_nodes'])
      t.is(environment[setting], names);
});

test('docker-compose.yml and Dockerfile name complete versions of images', (t) => {
  const bases = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image = '']) => image);
  const images = Object.values(services).flatMap(({ image }) => image ?? []);
  for (const image of [...images, ...bases]) t.regex(image, /:v?\d+\.\d+(\.\d+)?(-|$)/);
  const { dependencies } = JSON.parse(read('embedded/node/package.json'));
  for (const base of bases) t.is(base, `node:${dependencies.node}-bookworm-slim`);
});

test('containers of docker-compose.yml have bounded memory and logs, and no capabilities but named ones', (t) => {
  for (const [name, service] of Object.entries(services)) {
    t.regex(service.mem_limit ?? '', /^(\$\{OPENSEARCH_MEMORY:-)?\d+[mg]\}?$/, name);
    t.deepEqual(service.cap_drop, ['ALL'], name);
    t.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    t.regex(service.logging?.options['max-size'] ?? '', /^\d+m$/, name);
    t.regex(service.logging?.options['max-file'] ?? '', /^\d+$/, name);
  }
});

test('docker-compose.yml configures the API with every OpenSearch node and with the buckets that it creates', (t) => {
  const nodes = Object.keys(services).filter((name) => services[name]?.image?.startsWith('opensearchproject/'));
  const environment = services.api?.environment ?? {};
  t.is(environment.OPENSEARCH_URL, nodes.map((name) => `http://${name}:9200`).join(','));
  const [command] = services.s3?.command ?? [];
  for (const bucket of [environment.CDN_BUCKET, environment.EXPORTS_BUCKET])
    t.regex(command ?? '', new RegExp(`mkdir -p [^&]*/data/${bucket} `));
  t.is(environment.S3_ENDPOINT, `http://s3:${/--port :(\d+)/.exec(command ?? '')?.[1]}`);
});

test('secrets in docker-compose.yml have no default, and the error for a missing one states its purpose', (t) => {
  const given = [...COMPOSE.matchAll(/\$\{(\w+)(:[-?])([^}]*)\}/g)];
  const secrets = given.filter(([, name]) => /PASSWORD|SECRET|KEY|PEPPER/.test(name ?? ''));
  t.true(secrets.length >= 4);
  for (const [, name, operator, message] of secrets) {
    t.is(operator, ':?', name);
    t.regex(message ?? '', new RegExp(`^Set ${name} to `), name);
  }
  for (const { environment = {} } of Object.values(services))
    for (const [name, value] of Object.entries(environment))
      if (/PASSWORD|SECRET|ACCESS_KEY|PEPPER|^DATABASE_URL$/.test(name)) t.regex(value, /\$\{\w+:\?/, name);
  for (const file of ['.gitignore', '.dockerignore'])
    t.regex(read(file), /^\.env$/m, 'the file with the secrets is ignored by git');
});

test('the image contains the optional packages with the binaries of sharp', (t) => {
  const { packages } = JSON.parse(read('package-lock.json'));
  t.true(packages['node_modules/@img/sharp-linux-x64'].optional);
  const installs = DOCKERFILE.match(/^RUN npm ci .*$/gm) ?? [];
  t.is(installs.length, 2);
  for (const command of installs) t.notRegex(command, /--omit=optional|@img/);
});

test('the image has a font with Arabic letters, for the preview images of pages', (t) => {
  const image = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '));
  t.regex(image, /^RUN apt-get .*fontconfig-config fonts-dejavu-core/m);
});
