import { sharedApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

test('statistics can be limited by the age of the building', async (t) => {
  const app = await sharedApp();
  const { key } = await createOrganization(app.services);
  const { slug: city } = await app.addCity();
  await indexListings(
    app.services,
    [2, 5, 8, null].map((age_years) => makeListing({ age_years, location: { city } })),
  );
  const get = (path: string) => app.request(`/v1/market/${path}&city=${city}`, { key });
  const summary = await get('summary?listing_type=rent&max_age=5');
  t.like(summary.body.data, { cohort: { max_age: 5 }, sample_size: 2 });
  t.is((await get('summary?listing_type=rent')).body.data.sample_size, 4);
  for (const path of [
    'supply?listing_type=rent',
    'neighborhoods?listing_type=rent',
    'rental-yield?property_type=villa',
    'trends?listing_type=rent',
    'deals?listing_type=rent',
  ])
    t.is((await get(`${path}&max_age=5`)).status, 200, path);
});
