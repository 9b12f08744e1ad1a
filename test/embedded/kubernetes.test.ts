import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '#src/config.ts';
import { VARIABLE_NAMES } from '#src/variables.ts';
import { ROLES } from '#start/roles.ts';
import { test } from '#test/test.ts';

interface Container {
  image: string;
  command: string[];
  env?: { name: string; value?: string }[];
  resources: { limits: { memory?: string } };
  securityContext: unknown;
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    template: { spec: { automountServiceAccountToken: boolean; securityContext: object; containers: Container[] } };
  };
}

interface Kustomization {
  resources: string[];
  images: { name: string; newTag: string }[];
}

const PROJECT = join(import.meta.dirname, '..', '..');
const FOLDER = join(PROJECT, 'deploy', 'kubernetes');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const { resources, images } = parse(read(FOLDER, 'kustomization.yaml')) as Kustomization;
const manifests = resources.flatMap((name) =>
  parseAllDocuments(read(FOLDER, name)).map((document) => document.toJS() as Manifest),
);
const workloads = manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind));

test('the Kustomize base names all of its files and the image of this release', (t) => {
  const files = readdirSync(FOLDER).filter((name) => name !== 'kustomization.yaml' && name !== 'config.env');
  t.deepEqual([...resources].sort(), files.sort());
  const { version } = JSON.parse(read(PROJECT, 'package.json'));
  t.deepEqual(images, [{ name: 'property-listings-api', newTag: version }]);
  const kinds = manifests.map(({ kind }) => kind);
  for (const kind of ['Deployment', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'Job'])
    t.true(kinds.includes(kind), kind);
});

test('each pod runs a role or command of the service with a complete configuration and known variables', (t) => {
  const pairs = read(FOLDER, 'config.env').split('\n').filter(Boolean);
  const config = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string]));
  const page = read(PROJECT, 'docs/operator.md');
  const command = /kubectl create secret generic listings-secrets (.*)/.exec(page)?.[1] ?? '';
  const secrets = [...command.matchAll(/--from-literal=(\w+)=/g)].map(([, name]) => name as string);
  const roles: string[] = [];
  for (const { metadata, spec } of workloads)
    for (const { image, command: words, env = [] } of spec.template.spec.containers) {
      t.is(image, 'property-listings-api');
      t.is(words[0], 'node');
      if (words.includes('src/main.ts')) roles.push(words.at(-1) as string);
      else t.deepEqual(words.slice(1), ['src/cli/main.ts', '--json', 'migrate']);
      const own = Object.fromEntries(
        env.map(({ name, value = 'postgres://user:password@host/name' }) => [name, value]),
      );
      const all = { ...config, ...own, ...Object.fromEntries(secrets.map((name) => [name, 'x'.repeat(32)])) };
      t.deepEqual(
        Object.keys(all).filter((name) => !(VARIABLE_NAMES as readonly string[]).includes(name)),
        [],
        metadata.name,
      );
      t.notThrows(() => readConfig(all), metadata.name);
    }
  t.deepEqual(
    roles.sort(),
    Object.keys(ROLES)
      .filter((role) => role !== 'all')
      .sort(),
  );
});

test('pods run without root, capabilities, a writable root folder and a token of the cluster, in bounded memory', (t) => {
  for (const { metadata, spec } of workloads) {
    const { automountServiceAccountToken, securityContext, containers } = spec.template.spec;
    t.false(automountServiceAccountToken, metadata.name);
    t.like(securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } }, metadata.name);
    for (const container of containers) {
      t.regex(container.resources.limits.memory ?? '', /^\d+[MG]i$/, metadata.name);
      t.deepEqual(
        container.securityContext,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        metadata.name,
      );
    }
  }
});
