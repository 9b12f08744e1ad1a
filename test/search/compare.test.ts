import { writeListing } from '#domain/listings/stored-form.ts';
import { compareIndexes, compareListings, drawSample } from '#search/reindex/compare.ts';
import { createFromTemplate } from '#search/templates.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

const own = ownIndexes();
test.after(() => own.remove());

test('documents that are missing, extra or different in a copy are found', async (t) => {
  await own.open();
  const [from, to] = [`${own.prefix}listings-v8`, `${own.prefix}listings-v9`];
  for (const index of [from, to]) await createFromTemplate(own.client, 'listings', index);
  const listings = Array.from({ length: 8 }, (_, id) => makeListing({ id: id + 1, bedrooms: 3 }));
  const put = async (index: string, id: number, version: number, json: string): Promise<void> => {
    const path = `/${index}/_doc/${id}`;
    const querystring = { version: String(version), version_type: 'external' };
    await own.client.transport.request({ method: 'PUT', path, querystring, body: json });
  };
  for (const listing of listings) {
    const { id } = listing.display;
    const json = writeListing(listing);
    if (id !== 8) await put(from, id, 2, json);
    if (id === 1) continue;
    // Document 2 is older, 3 has another stored form, 4 has other indexed fields, and 8 was deleted from the source.
    const changed =
      id === 3
        ? json.replace('"display":{', '"display":{"more":1,')
        : id === 4
          ? json.replace('"beds":3', '"beds":4')
          : json;
    if (id === 3 || id === 4) t.not(changed, json);
    await put(to, id, id === 2 ? 1 : 2, changed);
  }
  await own.client.indices.refresh({ index: `${from},${to}` });
  t.deepEqual(await compareIndexes(own.client, from, to), { missing: [1, 2], surplus: [{ id: 8, version: 2 }] });
  const drawn = await drawSample(own.client, from, 100, 1);
  t.is(drawn.length, 7);
  t.deepEqual((await compareListings(own.client, from, to, drawn)).sort(), [1, 2, 3, 4]);
});
