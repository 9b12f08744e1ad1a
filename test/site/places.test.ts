import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { Api } from '#site/server/api-client.ts';
import { PlaceData, placePath } from '#site/server/place-data.ts';
import { EXPLORER_TEXTS, TEXTS } from '#site/text/index.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { textOfMarkup } from '#test/markup.ts';
import { test } from '#test/test.ts';

/** A city that no other test writes. */
const [city] = CITIES.filter(({ slug }) => slug === 'jazan');
if (!city) throw new Error('the gazetteer lacks the city');
const [busy, quiet] = neighborhoodsOf(city.slug);
if (!busy || !quiet) throw new Error('the city lacks neighborhoods');
const BUSY = placePath({ city, neighborhood: busy });

let app: TestApp;
test.before(async () => {
  app = await startTestApp();
  await app.addCity(city, neighborhoodsOf(city.slug));
  const at = (neighborhood: typeof busy) => ({
    city: city.slug,
    neighborhood_id: neighborhood.id,
    neighborhood_name_en: neighborhood.name_en,
    neighborhood_name_ar: neighborhood.name_ar,
  });
  // 21 rents of 2 bedrooms from 20,000 to 40,000 in one neighborhood, 3 in the other.
  const rents = Array.from({ length: 21 }, (_, step) =>
    makeListing({
      bedrooms: 2,
      location: at(busy),
      price: { yearly_sar: 20_000 + step * 1_000 },
    }),
  );
  const others = Array.from({ length: 3 }, () => makeListing({ bedrooms: 2, location: at(quiet) }));
  await indexListings(app.services, [...rents, ...others]);
});
test.after(() => app.close());

test('a city and a neighborhood with 20 listings have pages with their medians, in both languages', async (t) => {
  for (const [prefix, name] of [
    ['', busy.name_en],
    ['/ar', busy.name_ar],
  ] as const) {
    const { status, text } = await app.request(prefix + BUSY);
    t.is(status, 200);
    t.true(/<title>([^<]*)/.exec(text)?.[1]?.startsWith(name));
    const row = [...text.matchAll(/<tr>(.*?)<\/tr>/gs)]
      .map(([, cells = '']) => textOfMarkup(cells))
      .find((cells) => /30,000/.test(cells));
    t.regex(row ?? '', /21/, 'the median of 21 rents');
    t.true(text.includes(`${prefix}/explorer?city=${city.slug}`));
    t.true(text.includes(`href="${prefix}/${city.slug}"`));
  }
  const { text } = await app.request(`/${city.slug}`);
  t.true(text.includes(`href="${BUSY}"`));
  t.false(text.includes(`href="${placePath({ city, neighborhood: quiet })}"`), 'too few listings');
});

test('a sentence is answered with listings, count, median, outline and the request, which other sites cannot read', async (t) => {
  const sentence = `${city.name_en} rent 2 bedrooms under 30k`;
  for (const [prefix, all] of [
    ['', '11 listings match'],
    ['/ar', '11 إعلانًا مطابقًا'],
  ] as const) {
    const { status, headers, body } = await app.request(`${prefix}/answer?sentence=${encodeURIComponent(sentence)}`);
    t.is(status, 200);
    t.is(headers.get('access-control-allow-origin'), null);
    t.regex(headers.get('cache-control') ?? '', /private/);
    const { markup } = body as { markup: string };
    const text = textOfMarkup(markup);
    t.true(text.includes(all), text.slice(0, 300));
    // The median has no filter by price: of all 24 rents of 2 bedrooms.
    t.true(text.includes(TEXTS[prefix === '' ? 'en' : 'ar'].wider_median));
    t.is(markup.match(/<li><a href="(\/ar)?\/listings\/\d+"/g)?.length, 3);
    t.true(markup.includes('<svg class="map"'));
    t.true(text.includes('/listings?city=jazan&listing_type=rent'));
  }
  t.is((await app.request('/answer')).status, 404);
  t.is((await app.request(`/answer?sentence=${encodeURIComponent('<b>x</b> '.repeat(90))}`)).status, 400);
});

test('an answer offers a search of texts for words without a filter, and neighborhoods for a misspelled name', async (t) => {
  const answer = async (sentence: string): Promise<string> =>
    (await app.request(`/answer?${new URLSearchParams({ sentence })}`)).body.markup;
  const families = await answer(`${city.name_en} flat for families`);
  t.true(textOfMarkup(families).includes(`${EXPLORER_TEXTS.en.no_filter} families`));
  t.regex(families, /href="\/explorer\?[^"]*q=families/);
  t.false(families.includes(EXPLORER_TEXTS.en.not_understood));
  t.regex(await answer('flat for rent in Al Rawdah'), /neighborhood_id=\d+">[^<]+, [^<]+<\/a>/);
});

test('a place with fewer than 20 listings, and an unknown one, have no page', async (t) => {
  const browser = { headers: { Accept: 'text/html' } };
  for (const path of [placePath({ city, neighborhood: quiet }), `/${city.slug}/nowhere`, '/nowhere'])
    t.is((await app.request(path, browser)).status, 404, path);
  const upper = await app.request(BUSY.toUpperCase(), browser);
  t.deepEqual([upper.status, upper.headers.get('location')], [308, BUSY]);
});

test('pages of places are in the sitemap, and linked from the home page and from listings', async (t) => {
  const { text } = await app.request('/sitemaps/pages.xml');
  t.true(text.includes(`${BUSY}</loc>`));
  t.false(text.includes(`${placePath({ city, neighborhood: quiet })}</loc>`));
  t.true((await app.request('/')).text.includes(`href="/${city.slug}"`));
});

test('the figures of a place are read once per run of ingest, and again if a read failed', async (t) => {
  let run = 1;
  let calls = 0;
  let isDown = true;
  const data = async (path: string) => {
    calls += 1;
    if (isDown) throw new Error('unavailable');
    return path === '/v1/listings/facets' ? { total: 30, facets: [] } : null;
  };
  const api = { data } as unknown as Api;
  const places = new PlaceData(() => run);
  const read = () => places.read(api, { city, neighborhood: null });
  await t.throwsAsync(read(), { message: 'unavailable' });
  isDown = false;
  t.like(await read(), { counts: { rent: 30, sale: 30 } });
  const first = calls;
  await read();
  t.is(calls, first);
  run = 2;
  await read();
  t.true(calls > first);
});

test('the page of a search contains its listings, with links for browsers without scripts, also from a sentence', async (t) => {
  const search = `city=${city.slug}&listing_type=rent&neighborhood_id=${busy.id}`;
  const read = async (query: string) => {
    const { status, text } = await app.request(`/explorer?${query}`);
    t.is(status, 200);
    const { first, sources } = JSON.parse(/id="data">(.*?)<\/script>/.exec(text)?.[1] ?? '{}');
    return { text, first, sources, links: text.match(/href="\/listings\/\d+"/g) ?? [] };
  };
  const { body } = await app.request(`/v1/listings?${search}&limit=20`, {
    key: (await createOrganization(app.services, { plan: 'free' })).key,
  });
  const ids = body.data.map(({ id }: { id: number }) => id);
  const page = await read(search);
  t.deepEqual(
    page.links,
    ids.map((id: number) => `href="/listings/${id}"`),
  );
  t.deepEqual([page.first.rows.map(({ id }: { id: number }) => id), page.first.next !== null], [ids, true]);
  t.true(Array.isArray(page.sources));
  const address = `/explorer\\?city=${city.slug}&#38;listing_type=rent"`;
  t.regex(page.text, new RegExp(`<link rel="canonical" href="[^"]*${address}`));
  t.regex(page.text, new RegExp(`<a class="language" href="/ar${address}`));
  const next = /rel="next" href="\/explorer\?([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&#38;', '&') ?? '';
  const last = await read(next);
  // The script shows the first page.
  t.deepEqual([last.links.length, last.first], [1, null]);
  // Their listings are those of the visible map, or none.
  for (const other of ['view=trend', 'map=24.7,46.7,11', 'city=all']) {
    const { text, first, links } = await read(
      `${search.replace(other === 'city=all' ? /^city=\w+&/ : /^$/, '')}&${other}`,
    );
    t.deepEqual([links, first], [[], null], other);
    t.regex(text, /<noscript><p><a class="button" href="\/explorer\?[^"]*neighborhood_id=\d+">/, other);
  }
  const sentence = await app.request(`/ar/explorer?${new URLSearchParams({ sentence: '2 bedroom flat for rent' })}`);
  t.is(sentence.status, 302);
  t.regex(sentence.headers.get('location') ?? '', /^\/ar\/explorer\?city=riyadh&listing_type=rent&.*beds=2.*sentence=/);
  const faulty = await read(`${search}&price_min=x`);
  t.regex(faulty.text, /role="alert">`price_min`/);
  t.is(faulty.first, null);
});
