import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StoredListing } from '#domain/listings/listing.ts';
import { administered } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { indexListings } from '#test/factories.ts';
import { marketCity } from '#test/market.ts';
import { testWhere } from '#test/present.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/**
 * Schemathesis calls every operation with valid and invalid input and checks each response against the OpenAPI document. Rules that OpenAPI
 * cannot express are listed in hooks.py. Schemathesis is a Python program (`pip install schemathesis`), found on the path or through
 * SCHEMATHESIS; without it the tests are skipped. SCHEMATHESIS_ARGS are passed on.
 */
const COMMAND = process.env.SCHEMATHESIS ?? 'schemathesis';
const version = spawnSync(COMMAND, ['--version'], { encoding: 'utf8' }).stdout;

let app: TestApp;
test.before(async () => {
  if (version) app = await sharedApp();
});

/** Adds the listings that the examples of the document refer to. */
async function prepare(): Promise<void> {
  await app.addCity({ slug: 'riyadh' }, [{ id: 1001 }, { id: 1002 }, { id: 1003 }]);
  const made = marketCity({
    city: 'riyadh',
    neighborhoods: [1001, 1002, 1003],
    now: Math.floor(Date.now() / 1000),
    count: 600,
    random: seeded(1),
  });
  const numbered = made.map(
    ({ display, ...rest }, index): StoredListing => ({ ...rest, display: { ...display, id: index + 1 } }),
  );
  await indexListings(app.services, numbered);
}

const SIDES = {
  data: ['--exclude-tag', 'Administration', '--exclude-tag', 'Service'],
  administration: ['--include-tag', 'Administration'],
} as const;

for (const [side, operations] of Object.entries(SIDES)) {
  testWhere(Boolean(version))(`Schemathesis finds no deviation in the ${side} operations`, async (t) => {
    t.timeout(30 * 60_000);
    t.log(version?.trim());
    if (side === 'data') await prepare();
    const organization = await administered(app);
    const key = side === 'data' ? organization.key : organization.admin;
    const folder = await mkdtemp(join(tmpdir(), 'schemathesis-'));
    try {
      const document = (await app.request('/v1/openapi.json')).body;
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(withAlternatives(document), withoutSelection));
      const { code, output } = await run(COMMAND, folder, [
        ...['run', 'openapi.json', '--url', `${app.url}/v1`, '--no-color', '--header', `Authorization: Bearer ${key}`],
        // `refusals_are_known` in hooks.py replaces the excluded check.
        // `wait_s` is up to 20 seconds.
        ...['--request-timeout', '60'],
        ...['--checks', 'all', '--exclude-checks', 'positive_data_acceptance', ...operations],
        ...(process.env.SCHEMATHESIS_ARGS ?? '').split(' ').filter(Boolean),
      ]);
      t.is(code, 0, output);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, Response> }>>;
}

interface Response {
  description: string;
  content?: Record<string, { schema: unknown }>;
  'x-dry-run'?: object;
  'x-other-types'?: Record<string, string>;
}

/** Adds the responses that the document describes beside `content`, so that generated clients keep their types. */
function withAlternatives(document: Document): Document {
  for (const { responses } of Object.values(document.paths).flatMap((item) => Object.values(item))) {
    for (const { content, ...response } of Object.values(responses ?? {})) {
      const json = content?.['application/json'];
      if (!content || !json) continue;
      for (const type in response['x-other-types']) content[type] = { schema: { type: 'string' } };
      const dryRun = response['x-dry-run'];
      if (!dryRun || !responses) continue;
      if (responses[200]?.content === content) json.schema = { anyOf: [json.schema, dryRun] };
      else responses[200] = { description: 'A dry run', content: { 'application/json': { schema: dryRun } } };
    }
  }
  return document;
}

/** Removes `fields` of listings: a schema cannot express that listings with selected fields lack the others. */
function withoutSelection(name: string, value: unknown): unknown {
  if (name !== 'parameters' || !Array.isArray(value)) return value;
  return value.filter((each) => !(each.name === 'fields' && !each.required));
}

const HOOKS = join(import.meta.dirname, 'hooks.py');

function run(command: string, cwd: string, args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, SCHEMATHESIS_HOOKS: HOOKS };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
