import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bayutFeed } from '#ingest/sources/kinds/bayut-xml.ts';
import { openSource } from '#ingest/sources/source.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { startPipeline } from './pipeline.ts';

const dir = folderOfFile();
let pipeline: Awaited<ReturnType<typeof startPipeline>>;
test.before(async () => {
  pipeline = await startPipeline('ingest-xml');
});
test.after(() => pipeline.close());

const property = (id: number): string => `<Property><Property_Ref_No>R-${id}</Property_Ref_No>
  <Property_purpose>Rent</Property_purpose><Property_Type>Apartment</Property_Type><City>Riyadh</City>
  <Locality>North Riyadh</Locality><Sub_Locality>Al Malqa</Sub_Locality><Price>${90_000 + id * 1_000}</Price>
  <Rent_Frequency>Yearly</Rent_Frequency><Property_Size>${110 + id}</Property_Size>
  <Property_Size_Unit>SQM</Property_Size_Unit><Bedrooms>3</Bedrooms>
  <Images><Image>https://photos.example/${id}.jpg</Image></Images></Property>`;
const feedOf = (...ids: number[]): string => `<Properties>\n${ids.map(property).join('\n')}\n</Properties>\n`;

test('ads of an XML feed are served, a cut feed withdraws none, and a complete one withdraws missing ads', async (t) => {
  const source = openSource(bayutFeed({ name: 'agency_xml', file: 'agency.xml' }), { dataDir: dir });
  const run = async (content: string, at: string) => {
    const path = join(dir, 'agency.xml');
    await writeFile(path, content);
    await utimes(path, new Date(at), new Date(at));
    return pipeline.run([source], at);
  };
  const first = await run(feedOf(1, 2, 3, 4, 5, 6), '2026-04-02T03:00:00Z');
  t.deepEqual([first.failed, first.events], [{}, { 'listing.created': 6 }]);
  const { id } = await pipeline.listing('agency_xml', 'R-1');
  t.is((await pipeline.document(id))?.display.price.yearly_sar, 91_000);
  const feed = feedOf(1, 2, 3, 4, 5, 6);
  const cut = await run(feed.slice(0, feed.indexOf('R-6') + 1), '2026-04-03T03:00:00Z');
  t.deepEqual(cut.failed, { agency_xml: 'the feed ends in the middle of a record' });
  t.deepEqual(cut.events, {});
  const bomb = await run(`<!DOCTYPE a [<!ENTITY b "c">]>${feed}`, '2026-04-04T03:00:00Z');
  t.regex(bomb.failed.agency_xml ?? '', /agency\.xml has a document type declaration/);
  t.deepEqual(bomb.events, {});
  const whole = await run(feedOf(1, 2, 3, 4, 5), '2026-04-05T03:00:00Z');
  t.deepEqual([whole.failed, whole.events], [{}, { 'listing.delisted': 1 }]);
});
