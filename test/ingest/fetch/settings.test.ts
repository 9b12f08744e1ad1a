import { NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import { contentHash } from '#ingest/fetch/content-hash.ts';
import type { ReadSettings } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { normalizeProject } from '#ingest/off-plan/normalize-project.ts';
import { test } from '#test/test.ts';

const AT = new Date('2026-11-24T00:00:00Z');
const DATED = { city: 'Riyadh', updated_at: '03/04/2026 10:00' };
const AD = { ...DATED, source_listing_id: 'A', purpose: 'rent', property_type: 'villa' };
const PROJECT = { ...DATED, source_project_id: 'P', name_en: 'Oasis', status: 'ready', delivery: '03/04/2027' };

/** Each setting with a value that reads the rows otherwise. */
const SETTINGS: { [Setting in keyof Required<ReadSettings>]: ReadSettings[Setting] } = {
  timeZone: 'UTC',
  dateOrder: 'month_first',
};

const KINDS = {
  ads: (settings: ReadSettings) => normalize({ name: 's', ...settings }, AD, AT),
  projects: (settings: ReadSettings) => normalizeProject(PROJECT, AT, NO_BOUNDARIES, settings),
};

test('each setting of a source changes how its ads and projects are read, and their hash', (t) => {
  for (const kind of ['ads', 'projects'] as const) {
    const hashes = new Set([contentHash(kind, AD, NO_BOUNDARIES)]);
    for (const [name, value] of Object.entries(SETTINGS)) {
      t.notDeepEqual(KINDS[kind]({ [name]: value }), KINDS[kind]({}), `${kind} ${name}`);
      hashes.add(contentHash(kind, AD, NO_BOUNDARIES, { [name]: value }));
    }
    t.is(hashes.size, 1 + Object.keys(SETTINGS).length);
  }
  const { dateOrder } = SETTINGS;
  t.like(KINDS.projects({ dateOrder }), {
    project: { delivery_date: '2027-03-04', source_updated_at: '2026-03-04T07:00:00Z' },
  });
});
