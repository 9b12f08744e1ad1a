import { sharedApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string }[];
  'x-codeSamples': { lang: string; source: string }[];
}

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const PREFIXES = { '': '/v1/openapi.json', '/ar': '/ar/openapi.json' };

/** Every operation of a document, by its path, with the path of its page. */
async function operations(document: string): Promise<{ path: string; page: string; operation: Operation }[]> {
  const { body } = await app.request(document);
  return Object.entries(body.paths as Record<string, Record<'get' | 'post', Operation>>).flatMap(([path, item]) =>
    [item.get, item.post].flatMap((operation) =>
      operation === undefined
        ? []
        : { path, operation, page: `/reference/${operation.operationId.replace(/[A-Z]/g, '-$&').toLowerCase()}` },
    ),
  );
}

test('the reference lists every operation with path, price and plan in both languages, without scripts', async (t) => {
  for (const [prefix, document] of Object.entries(PREFIXES)) {
    const { text } = await app.request(`${prefix}/reference`);
    const items = [...text.matchAll(/<li id="[\w-]+">.*?<\/li>/gs)].map(([item]) => item);
    const described = await operations(document);
    t.is(items.length, described.length);
    for (const { path, operation, page } of described) {
      const item = items.find((each) => each.includes(`href="${prefix}${page}"`)) ?? '';
      t.true(item.includes(`>${operation.summary}</a>`) && item.includes(`<code>${path}</code>`), page);
    }
    t.notRegex(text, /reference-\w+\.js/);
    t.true(text.length < 30_000, String(text.length));
  }
  const { text } = await app.request('/reference');
  t.regex(text, /\/listings<\/code><\/span><small>1 unit per 10 results · All plans</);
  t.regex(text, /\/listings\/\{id\}\/price-band<\/code><\/span><small>10 units · Growth plan and higher</);
  t.regex(text, /\/organization<\/code><\/span><small>0 units · Admin key</);
  const arabic = (await app.request('/ar/reference')).text;
  t.regex(arabic, /\/listings<\/code><\/span><small>وحدة واحدة لكل 10 نتائج · جميع الباقات</);
});

test('every operation has a page with its parameters and samples in both languages', async (t) => {
  for (const [prefix, document] of Object.entries(PREFIXES)) {
    for (const { path, operation, page } of await operations(document)) {
      const { status, text, headers } = await app.request(`${prefix}${page}`);
      t.is(status, 200, page);
      t.notRegex(headers.get('content-security-policy') ?? '', /unsafe/);
      t.regex(text, /^<title>.* · (GET|POST) \/.*<\/title>$/m);
      t.true(text.includes(`<h1>${operation.summary}</h1>`) && text.includes(`<code>${path}</code>`), page);
      for (const { name } of operation.parameters) {
        t.is(text.split(`id="parameter-${name}"`).length, 2, `${page} ${name}`);
        t.is(text.split(`id="input-${name}"`).length, 2, `${page} ${name}`);
      }
      const samples = text.match(/data-language="(sh|ts|python)"/g)?.length;
      t.is(samples, operation['x-codeSamples'].length, page);
      // Highlighted code may contain null.
      t.notRegex(text, /undefined|\[object|>null<(?!\/span)/, page);
    }
  }
});

test('a test request starts with the required parameters only', async (t) => {
  const { text } = await app.request('/reference/search-listings');
  const [form = ''] = /<form class="test-request".*?<\/form>/s.exec(text) ?? [];
  t.deepEqual(
    [...form.matchAll(/<(?:input|select) id="input-(\w+)"[^>]*required/g)].map(([, name]) => name),
    ['city', 'listing_type'],
  );
  t.is(form.match(/<input id="input-\w+"[^>]* value="/g)?.length, 1);
  t.is(form.match(/ selected>/g)?.length, 1);
});

test('required fields of requests and optional fields of responses are marked', async (t) => {
  const { text } = await app.request('/reference/create-webhook');
  const [, body = '', response = ''] = text.split(/<h2 id="(?:body|response)">/);
  t.regex(body, /<code dir="ltr" class="name">url<\/code> <small dir="ltr">[^<]*<\/small> <strong>required<\/strong>/);
  t.notRegex(body, />optional</);
  t.notRegex(response, />required</);
  t.regex((await app.request('/reference/search-listings')).text, / <small>optional<\/small>/);
});

test('fields for the ids of exports, webhooks and keys have a placeholder instead of a value', async (t) => {
  for (const [page, id, example] of [
    ['get-export', 'export_id', 'exp_0f3a'],
    ['list-webhook-deliveries', 'webhook_id', 'whk_0f3a'],
    ['revoke-key', 'key_id', 'key_0f3a'],
  ]) {
    const { text } = await app.request(`/reference/${page}`);
    const [input = ''] = new RegExp(`<input id="input-${id}".*?>`).exec(text) ?? [];
    t.true(input.includes(' required') && input.includes(` placeholder="${example}"`), input);
    t.notRegex(input, / value=/);
  }
  t.regex((await app.request('/reference/get-listing')).text, /<input id="input-id"[^>]* value="1"/);
});

test('the page of an operation whose rows are charged states their price', async (t) => {
  t.regex((await app.request('/reference/create-export')).text, /<li>100 units for each 1,000 rows<\/li>/);
});
