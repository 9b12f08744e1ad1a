import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

const now = Date.now();
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => now, chargeTime: () => null } } });
});
test.after(async () => {
  await app.close();
});

test('concurrent responses are identical to those of sequential requests', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const cities = await Promise.all([app.addCity(), app.addCity(), app.addCity()]);
  for (const { slug } of cities) {
    const listings = Array.from({ length: 100 }, (_, at) =>
      makeListing({ location: { city: slug }, description: `${slug} ${at} `.repeat(20 + at) }),
    );
    await indexListings(app.services, listings);
  }
  const paths = cities.flatMap(({ slug }) =>
    [1, 7, 25, 60, 100].map((limit) => `/v1/listings?city=${slug}&listing_type=rent&limit=${limit}`),
  );
  const alone = new Map<string, string>();
  for (const path of paths) {
    const { status, text } = await app.request(path, { key });
    t.is(status, 200);
    alone.set(path, text);
  }
  const together = Array.from({ length: 10 }, () => paths).flat();
  const answers = await Promise.all(
    together.map(async (path) => [path, (await app.request(path, { key })).text] as const),
  );
  for (const [path, text] of answers) t.is(dataOf(text), dataOf(alone.get(path) ?? ''), path);
});

/** Removes time-dependent fields from a response. */
function dataOf(text: string): string {
  return text.replace(/"last_seen_at":"[^"]*"/g, '');
}
