import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVED_INDEXES } from '#domain/index-state.ts';
import { toDocument } from '#domain/listings/document.ts';
import { writeListing } from '#domain/listings/stored-form.ts';
import { compileTemplates, installTemplates } from '#search/templates.ts';
import { makeListing } from '#test/factories.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

const own = ownIndexes();
test.after(() => own.remove());

test('a start installs the index templates, and a second start changes nothing', async (t) => {
  const read = async () => {
    type Installed = { index_templates: { name: string }[] };
    const { index_templates } = await own.client.send<Installed>('GET', `/_index_template/${own.prefix}*`);
    // The engine returns templates in any order.
    return new Map(index_templates.map((each) => [each.name, each]));
  };
  await installTemplates(own.client);
  const first = await read();
  await installTemplates(own.client);
  t.deepEqual(await read(), first);
  t.is(first.size, SERVED_INDEXES.length);
});

test('a template that an earlier release installed does not change a new index', async (t) => {
  const { client, prefix, open, remove } = ownIndexes();
  t.teardown(remove);
  const analyzer = { removed: { type: 'custom', tokenizer: 'standard' } };
  await client.transport.request({
    method: 'PUT',
    path: `/_index_template/${prefix}listings`,
    body: {
      index_patterns: [`${prefix}listings-20*`],
      template: {
        settings: { analysis: { analyzer } },
        mappings: { properties: { body: { type: 'text', analyzer: 'removed' } } },
      },
    },
  });
  const { alias } = await open();
  const { body } = await client.indices.getMapping({ index: alias });
  const [{ mappings }] = Object.values(body) as [{ mappings: { properties: object } }];
  t.false('body' in mappings.properties);
});

test('an edited file changes only the digests of the templates that use the file', async (t) => {
  const edited = async (file: string, edit: (text: string) => string): Promise<string[]> => {
    const folder = await temporaryFolder(t);
    await cp(new URL('../../index-templates', import.meta.url), folder, { recursive: true });
    await writeFile(join(folder, file), edit(await readFile(join(folder, file), 'utf8')));
    const [before, after] = [digests(), digests(pathToFileURL(`${folder}/`))];
    return SERVED_INDEXES.filter((name) => before[name] !== after[name]);
  };
  t.deepEqual(await edited('synonyms.txt', (text) => `${text}\nquay, wharf\n`), ['webhooks']);
  t.deepEqual(await edited('words.txt', (text) => `${text}\nquay, quays\n`), ['listings', 'webhooks']);
  t.deepEqual(await edited('synonyms.txt', (text) => `${text}\n# a comment\n`), []);
  t.deepEqual(await edited('history.json', (text) => text.replace('"short"', '"integer"')), ['history']);
  t.deepEqual(await edited('listings.json', (text) => text.replace('"5s"', '"6s"')), ['listings']);
});

function digests(folder?: URL): Record<string, string> {
  type Template = { template: { mappings: { _meta: { digest: string } } } };
  const indexes = Object.entries(compileTemplates(folder).indexes as unknown as Record<string, Template>);
  return Object.fromEntries(indexes.map(([name, { template }]) => [name, template.mappings._meta.digest]));
}

test('the live index is sorted and strict, and its fields are exactly those of the document', async (t) => {
  const { alias } = await own.open();
  const [settings] = Object.values((await own.client.indices.getSettings({ index: alias })).body);
  const sort = settings?.settings?.index?.sort as unknown as { field: string[]; order: string[] };
  t.deepEqual(sort.field, ['filter.city', 'filter.listing_type', 'filter.first_seen_at', 'filter.id']);
  t.deepEqual(sort.order, ['asc', 'asc', 'desc', 'desc']);

  type Properties = Record<string, { properties?: Properties; enabled?: boolean }>;
  type Described = { mappings: { dynamic: string; properties: Properties } };
  const described = await own.client.send<Record<string, Described>>('GET', `/${alias}/_mapping`);
  const [{ mappings }] = Object.values(described) as [Described];
  t.is(mappings.dynamic, 'strict');
  const document = toDocument(makeListing());
  const written = Object.keys(JSON.parse(writeListing(makeListing())));
  t.deepEqual(written.sort(), [...Object.keys(document), 'digest'].sort());
  t.deepEqual(Object.keys(mappings.properties).sort(), written.sort());
  for (const kept of ['display', 'private']) t.is(String(mappings.properties[kept]?.enabled), 'false');
  for (const block of ['filter', 'text', 'stats'] as const) {
    t.deepEqual(Object.keys(mappings.properties[block]?.properties ?? {}).sort(), Object.keys(document[block]).sort());
  }
});

test('an unmapped field is refused', async (t) => {
  const { alias } = await own.open();
  const document = JSON.parse(writeListing(makeListing()));
  for (const block of ['filter', 'text', 'stats']) {
    const body = { ...document, [block]: { ...document[block], unheard_of: 1 } };
    const error = await t.throwsAsync(own.client.index({ index: alias, body }));
    t.regex(String(error), /strict_dynamic_mapping_exception/);
  }
  await t.throwsAsync(own.client.index({ index: alias, body: { ...document, more: {} } }));
});

test('_source contains only private and display, in the order in which they were written', async (t) => {
  const index = await own.open();
  const stored = makeListing({ title: 'a "quoted" \\ title }', amenities: ['pool', 'ac'] }, { photos: ['a/1.jpg'] });
  const { id } = stored.display;
  await index.bulk([{ op: 'index', id, version: 1, stored }]);
  const response = await fetch(`${process.env.OPENSEARCH_URL}/${index.alias}/_doc/${id}`);
  const text = await response.text();
  const expected = JSON.stringify({ private: stored.private, display: stored.display });
  t.true(text.endsWith(`"_source":${expected}}`), text);
  await index.refresh();
  const search = await fetch(`${process.env.OPENSEARCH_URL}/${index.alias}/_search?q=filter.id:${id}`);
  t.true((await search.text()).includes(`"_source":${expected}`));
});
