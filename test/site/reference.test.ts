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

test('the reference lists every operation with price and plan, each with a page, in both languages', async (t) => {
  for (const [prefix, document] of Object.entries(PREFIXES)) {
    const { text: list } = await app.request(`${prefix}/reference`);
    const described = await operations(document);
    t.is(list.match(/<li id="[\w-]+">/g)?.length, described.length);
    for (const { path, operation, page } of described) {
      t.true(list.includes(`href="${prefix}${page}">${operation.summary}</a>`), page);
      const { status, text } = await app.request(`${prefix}${page}`);
      t.is(status, 200, page);
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
  const { text } = await app.request('/reference');
  t.regex(text, /\/listings<\/code><\/span><small>1 unit per 10 results · All plans</);
  t.regex(text, /\/listings\/\{id\}\/price-band<\/code><\/span><small>10 units · Growth plan and higher</);
  t.regex(text, /\/organization<\/code><\/span><small>0 units · Admin key</);
  t.regex((await app.request('/reference/create-export')).text, /<li>100 units for each 1,000 rows<\/li>/);
});
