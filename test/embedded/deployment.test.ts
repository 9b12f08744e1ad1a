import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { parse, parseAllDocuments } from 'yaml';
import { ROLES } from '#app/start/roles.ts';
import { readConfig } from '#src/config.ts';
import { VARIABLE_NAMES } from '#src/variables.ts';
import { test } from '#test/test.ts';

interface Service {
  command?: string | string[];
  environment?: Record<string, string>;
  image?: string;
  logging?: { options: Record<string, string> };
  mem_limit?: string;
  cap_drop?: string[];
  security_opt?: string[];
}

interface Workload {
  kind: string;
  metadata: { name: string };
  spec: {
    template: {
      spec: {
        automountServiceAccountToken: boolean;
        securityContext: object;
        containers: {
          image: string;
          command: string[];
          env?: { name: string; value?: string }[];
          resources: { limits: { memory?: string } };
          securityContext: unknown;
        }[];
      };
    };
  };
}

interface NetworkObject {
  spec: {
    policyTypes?: string[];
    ingress?: { ports: { port: string }[] }[];
    rules?: { host: string; http: { paths: { backend: { service: { name: string } } }[] } }[];
  };
}

const PROJECT = join(import.meta.dirname, '..', '..');
const read = (...path: string[]): string => readFileSync(join(PROJECT, ...path), 'utf8');
const COMPOSE = read('docker-compose.yml');
const { services } = parse(COMPOSE, { merge: true }) as { services: Record<string, Service> };
const { resources, images } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
  resources: string[];
  images: { name: string; newTag: string }[];
};
const objects = resources.flatMap((name) =>
  parseAllDocuments(read('deploy/kubernetes', name)).map((document) => document.toJS() as Workload),
);
const workloads = objects.filter(({ kind }) => ['Deployment', 'Job'].includes(kind));

/** Checks that an environment has only variables of the service, and all that it requires. */
function checkEnvironment(t: ExecutionContext, environment: Record<string, string>, name: string): void {
  const unknown = Object.keys(environment).filter((each) => !(VARIABLE_NAMES as readonly string[]).includes(each));
  t.deepEqual(unknown, [], name);
  t.notThrows(() => readConfig(environment), name);
}

test('services of docker-compose.yml run existing roles with a complete configuration, and the API knows all servers', (t) => {
  for (const role of ['api', 'worker', 'webhooks']) {
    const { command, environment = {} } = services[role] as Service;
    t.is(command, `node app/main.ts ${role}`);
    t.true(role in ROLES);
    // Replaces variables as Docker does: by their defaults, or by values of the operator.
    const set = JSON.stringify(environment).replace(
      /\$\{\w+(?::-([^}]*)|:\?[^}]*)\}/g,
      (_, fallback) => fallback ?? 'x'.repeat(32),
    );
    checkEnvironment(t, JSON.parse(set), role);
  }
  const version = /VERSION = '([\d.]+)'/.exec(read('embedded/install/opensearch.mjs'))?.[1];
  const nodes = Object.entries(services).filter(([, { image }]) => image === `opensearchproject/opensearch:${version}`);
  const names = nodes.map(([name]) => name);
  t.is(names.length, 3);
  for (const [, { environment = {} }] of nodes)
    for (const setting of ['discovery.seed_hosts', 'cluster.initial_cluster_manager_nodes'])
      t.is(environment[setting], names.join());
  const { environment = {} } = services.api as Service;
  t.is(environment.OPENSEARCH_URL, names.map((name) => `http://${name}:9200`).join());
  const [command = ''] = services.s3?.command ?? [];
  for (const bucket of [environment.CDN_BUCKET, environment.EXPORTS_BUCKET])
    t.regex(command, new RegExp(`mkdir -p [^&]*/data/${bucket} `));
  t.is(environment.S3_ENDPOINT, `http://s3:${/--port :(\d+)/.exec(command)?.[1]}`);
});

test('the gateway of docker-compose.yml appends to X-Forwarded-For what a TLS proxy in front wrote', (t) => {
  const lines = [...COMPOSE.matchAll(/proxy_set_header X-Forwarded-For (\S+);/g)].map(([, value]) => value);
  t.deepEqual(lines, ['$$proxy_add_x_forwarded_for']);
});

test('containers of docker-compose.yml have bounded memory and logs, and no capabilities but named ones', (t) => {
  for (const [name, service] of Object.entries(services)) {
    t.regex(service.mem_limit ?? '', /^(\$\{OPENSEARCH_MEMORY:-)?\d+[mg]\}?$/, name);
    t.deepEqual(service.cap_drop, ['ALL'], name);
    t.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    t.regex(service.logging?.options['max-size'] ?? '', /^\d+m$/, name);
  }
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

test('pods accept connections to the API and for metrics only, and the ingress leads to the API', (t) => {
  const named = (kind: string) => objects.filter((each) => each.kind === kind) as unknown as NetworkObject[];
  const policies = named('NetworkPolicy');
  t.true(policies.every(({ spec }) => spec.policyTypes?.join() === 'Ingress'));
  const open = policies.flatMap(({ spec }) => spec.ingress ?? []).flatMap(({ ports }) => ports);
  t.deepEqual(open.map(({ port }) => port).sort(), ['http', 'metrics']);
  t.true(
    policies.some(({ spec }) => spec.ingress === undefined),
    'all other connections are refused',
  );
  const [ingress] = named('Ingress');
  const [rule] = ingress?.spec.rules ?? [];
  t.true(read('deploy/kubernetes/config.env').includes(`SITE_URL=https://${rule?.host}\n`));
  const service = rule?.http.paths[0]?.backend.service;
  t.true(objects.some(({ kind, metadata }) => kind === 'Service' && metadata.name === service?.name));
});

test('the component with a pooler gives the API an address of the pooler, and a direct one', (t) => {
  const { patches, resources: added } = parse(read('deploy/kubernetes/pooler/kustomization.yaml')) as {
    patches: { target: { name: string }; patch: string }[];
    resources: string[];
  };
  const [{ path, value }] = parse(patches[0]?.patch ?? '') as [
    { path: string; value: { name: string; value?: string }[] },
  ];
  t.is(`${patches[0]?.target.name} ${path}`, 'listings-api /spec/template/spec/containers/0/env');
  const api = workloads.find(({ metadata }) => metadata.name === 'listings-api');
  const replaced = api?.spec.template.spec.containers[0]?.env?.map(({ name }) => name) ?? [];
  const names = value.map(({ name }) => name).filter((name) => !name.startsWith('POOLER_'));
  t.deepEqual(names.sort(), [...replaced, 'DATABASE_DIRECT_URL'].sort());
  const url = value.find(({ name }) => name === 'DATABASE_URL')?.value ?? '';
  const pooler = parse(read('deploy/kubernetes/pooler', added[0] ?? '')) as { metadata: { name: string } };
  t.regex(url, new RegExp(`@${pooler.metadata.name}:5432/`));
  for (const [, used] of url.matchAll(/\$\((\w+)\)/g))
    t.true(value.findIndex(({ name }) => name === used) < value.length - 1, `${used} precedes its use`);
});

test('pods run every role or the migration, with a complete configuration, without privileges, and in bounded memory', (t) => {
  const pairs = read('deploy/kubernetes/config.env').split('\n').filter(Boolean);
  const config = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const command = /kubectl create secret generic listings-secrets (.*)/.exec(read('docs/install.md'))?.[1] ?? '';
  const secrets = [...command.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => [name, 'x'.repeat(32)]);
  t.deepEqual(images, [{ name: 'property-listings-api', newTag: JSON.parse(read('package.json')).version }]);
  const roles: string[] = [];
  for (const { metadata, spec } of workloads) {
    const { automountServiceAccountToken, securityContext, containers } = spec.template.spec;
    t.false(automountServiceAccountToken, metadata.name);
    t.like(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }, metadata.name);
    for (const { image, command: words, env = [], resources: needs, securityContext: rights } of containers) {
      t.is(`${image} ${words[0]}`, 'property-listings-api node');
      if (words.includes('app/main.ts')) roles.push(words.at(-1) as string);
      else t.deepEqual(words.slice(1), ['app/cli/cli.ts', '--json', 'migrate']);
      const own = env.map(({ name, value = 'postgres://user:password@host/name' }) => [name, value]);
      checkEnvironment(t, { ...config, ...Object.fromEntries([...own, ...secrets]) }, metadata.name);
      t.regex(needs.limits.memory ?? '', /^\d+[MG]i$/, metadata.name);
      const wanted = { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } };
      t.deepEqual(rights, wanted, metadata.name);
    }
  }
  // `worker` is `ingest`, `exports` and `webhooks` in one process.
  const others = Object.keys(ROLES).filter((role) => role !== 'all' && role !== 'worker');
  t.deepEqual(roles.sort(), others.sort());
});
