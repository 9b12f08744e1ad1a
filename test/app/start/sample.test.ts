import { execFile as execFileWithCallback } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createOrganization, type OrganizationOptions } from '#test/factories.ts';
import { pagesOf } from '#test/pages.ts';
import { app, keys } from '#test/sample-app.ts';
import { test } from '#test/test.ts';
// These tests need a complete first start and share it.
import '../../clients/customer.ts';
import '../../clients/generators.ts';
import '../../site/guides.ts';
import '../../site/browser/account.ts';
import '../../site/browser/pages.ts';
import '../../site/browser/explorer.ts';

const execFile = promisify(execFileWithCallback);

interface Parameter {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  example?: unknown;
  examples?: { default: { value: unknown } };
}

interface Operation {
  parameters: Parameter[];
  'x-audience': 'public' | 'data' | 'admin';
  'x-scope': string | null;
}

interface Example {
  path: string;
  operation: Operation;
}

/** Real ids of the free organization, and of the admin key's, that replace the made-up ids of the documentation. */
let own: Readonly<Record<string, string>>;
let ofAdmin: Readonly<Record<string, string>>;
let examples: Example[] = [];

test.before(async () => {
  const [record] = (await app.request('/v1/exports', { key: keys.free })).body.data;
  const [logged] = (await app.request('/v1/organization/request-logs', { key: keys.admin })).body.data;
  const webhook = (await app.request('/v1/organization/webhooks', { key: keys.admin })).body.data.at(-1);
  const [exported] = (await app.request('/v1/exports', { key: keys.pro })).body.data;
  ofAdmin = { export_id: exported.id };
  own = {
    export_id: record.id,
    webhook_id: webhook.id,
    key_id: logged.key_id,
    request_id: logged.request_id,
  };
  const openApi = (await app.request('/v1/openapi.json')).body;
  examples = Object.entries(openApi.paths as Record<string, Record<string, Operation>>).flatMap(
    ([path, item]): Example[] =>
      item.get && item.get['x-audience'] !== 'public' ? [{ path, operation: item.get }] : [],
  );
});

const exampleOf = ({ example, examples: optional }: Parameter): unknown => example ?? optional?.default.value;

const isSampled = ({ required, example }: Parameter): boolean => required || example !== undefined;

/** Required, or a city in place of an optional area. */
function isNeeded({ operation: { parameters } }: Example, { name, required }: Parameter): boolean {
  return required || (name === 'city' && parameters.some((each) => each.name === 'bbox' && !each.required));
}

/** The path and query of an operation with the examples of the chosen parameters. */
function exampleUrl({ path, operation }: Example, chosen: (parameter: Parameter) => boolean): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters.filter(chosen)) {
    const { name } = parameter;
    const example = exampleOf(parameter);
    const known = (operation['x-audience'] === 'admin' ? ofAdmin[name] : undefined) ?? own[name];
    const text = known ?? (Array.isArray(example) ? example.join(',') : String(example));
    if (parameter.in === 'path') filled = filled.replace(`{${name}}`, text);
    else query.set(name, text);
  }
  return `/v1${filled}${query.size > 0 ? `?${query}` : ''}`;
}

/** A key of the lowest plan that includes the operation, whose organization has used none of its rate limit. */
async function keyFor({ operation }: Example): Promise<string> {
  if (operation['x-audience'] === 'admin') return keys.admin;
  const scope = operation['x-scope'];
  if (scope === null) return keys.free;
  const { rows } = await app.services.pool.query<{ name: OrganizationOptions['plan'] }>(
    'select name from plans where $1 = any (scopes) order by rank',
    [scope],
  );
  return (await createOrganization(app.services, { plan: rows[0]?.name ?? 'enterprise' })).key;
}

function isEmpty(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0;
  return data === null || data === undefined || (typeof data === 'object' && Object.keys(data).length === 0);
}

test('every operation returns data for its example, with a key of the lowest plan that includes it', async (t) => {
  t.true(examples.length > 25);
  for (const example of examples) {
    const url = exampleUrl(example, isSampled);
    const { status, body } = await app.request(url, { key: await keyFor(example) });
    t.is(status, 200, `${url}: ${JSON.stringify(body)}`);
    t.false(isEmpty(body.data), url);
  }
});

test('every optional parameter with its example returns results', async (t) => {
  for (const example of examples) {
    const key = example.operation['x-audience'] === 'admin' ? keys.admin : keys.enterprise;
    for (const described of example.operation.parameters) {
      const { name, required } = described;
      // References of advertisers and streams are random, and a month can be one without calls.
      if (required || name === 'month' || name === 'cursor' || name === 'advertiser' || name === 'stream') continue;
      t.not(exampleOf(described), undefined, `${example.path} ${name} has no example`);
      const needed = name === 'radius_m' ? [name, 'near'] : [name];
      const url = exampleUrl(
        example,
        (parameter) =>
          needed.includes(parameter.name) ||
          // A home has a point or a neighborhood.
          isNeeded(example, parameter) ||
          (isSampled(parameter) && (parameter.required || name !== 'neighborhood_id')),
      );
      const { status, body } = await app.request(url, { key });
      t.is(status, 200, `${url}: ${JSON.stringify(body)}`);
      t.false(isEmpty(body.data) || body.data.total === 0 || body.data.sample_size === 0, url);
    }
  }
});

test('the sample has a price that paused before it fell, and one that was mistyped in one feed', async (t) => {
  const query = 'city=riyadh&listing_type=rent&area_min=187&area_max=187&price_min=39000&price_max=40000';
  const { data } = (await app.request(`/v1/listings?${query}&sort=price_asc`, { key: keys.pro })).body;
  const homes = await Promise.all(
    data.map(async ({ id, price }: { id: number; price: Record<string, number> }) => {
      const { prices } = (await app.request(`/v1/listings/${id}/price-history`, { key: keys.pro })).body.data;
      return [price.previous_yearly_sar, ...prices.map((each: Record<string, number>) => each.price_yearly_sar)];
    }),
  );
  t.deepEqual(homes, [
    [null, 39_000],
    [50_000, 50_000, 40_000],
  ]);
});

test('every list can be read to the paging depth, where more results exist', async (t) => {
  const paged = examples.filter(
    ({ operation }) => operation['x-audience'] === 'data' && operation.parameters.some(({ name }) => name === 'cursor'),
  );
  t.true(paged.length >= 8, paged.map(({ path }) => path).join());
  const depth = 3;
  const { key } = await createOrganization(app.services, { columns: { paging_depth: depth } });
  const ended: string[] = [];
  for (const example of paged) {
    const required = exampleUrl(example, (parameter) => isNeeded(example, parameter));
    const hasLimit = example.operation.parameters.some(({ name }) => name === 'limit');
    const path = hasLimit ? `${required}${required.includes('?') ? '&' : '?'}limit=2` : required;
    const seen: string[] = [];
    let reached = false;
    for await (const { body } of pagesOf(app, path, key)) {
      seen.push(...body.data.map((row: object) => JSON.stringify(row)));
      reached = body.pagination.result_window_reached;
    }
    if (!reached) ended.push(example.path);
    t.true(seen.length === depth || !reached, path);
    t.is(new Set(seen).size, seen.length, path);
  }
  // The organization has no exports, and a project of the sample few units.
  t.deepEqual(
    ended.filter((path) => path !== '/exports' && path !== '/projects/{id}/units'),
    [],
  );
});

const SCRIPT = fileURLToPath(new URL('../../src/endpoints/official/repeat-property-index.ts', import.meta.url));

test('the property index script reproduces the published index from `GET /transactions`', async (t) => {
  for (const scope of ['riyadh', 'national']) {
    const { stdout } = await execFile(process.execPath, [SCRIPT, `${app.url}/v1`, keys.enterprise, scope]);
    t.regex(stdout, /They agree\.\s*$/);
    const [, points, deals] = /: (\d+) points from (\d+) deals/.exec(stdout) ?? [];
    t.true(Number(points) >= 4 && Number(deals) > 1_000, stdout);
  }
});
