import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { SERVED_INDEXES } from '#domain/index-state.ts';
import type { ProjectRow, ProjectSource } from '#ingest/off-plan/sources/index.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import type { FeedEnd } from '#ingest/sources/kinds/feed-row.ts';
import type { Services } from '#src/services.ts';
import { startTestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { startPipeline } from '../run/pipeline.ts';

/** A pipeline, and an app that serves its data. */
export type OffPlanGround = Awaited<ReturnType<typeof offPlanGround>>;

export async function offPlanGround(
  name: string,
  cities: readonly string[] = ['riyadh'],
  overrides: Partial<Services> = {},
) {
  const pipeline = await startPipeline(name);
  const env = { DATABASE_URL: pipeline.databaseUrl, INDEX_PREFIX: pipeline.prefix };
  const app = await startTestApp({ env, indexes: SERVED_INDEXES, overrides });
  for (const slug of cities) {
    const city = CITIES.find((candidate) => candidate.slug === slug);
    if (city) await app.addCity(city, neighborhoodsOf(slug));
  }
  const { key } = await createOrganization(app.services);
  return {
    app,
    key,
    pipeline,
    close: async (): Promise<void> => {
      await app.close();
      await pipeline.close();
    },
  };
}

/** A project source whose feed is set by the test. */
export interface TestProjects extends ProjectSource {
  feed: (ProjectRow | Error)[];
  /** How the feed ends. */
  end?: FeedEnd;
}

export function testProjects(name: string, feed: TestProjects['feed'] = []): TestProjects {
  const source: TestProjects = {
    name,
    feed,
    async *rows() {
      for (const row of source.feed) {
        if (row instanceof Error) throw row;
        yield row;
      }
      return source.end;
    },
  };
  return source;
}

/** Returns a valid project feed row with the given changes. */
export function project(id: string, changes: Partial<RawProject> = {}): ProjectRow {
  const seed = [...id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 10_007, 7);
  const raw: RawProject = {
    source_project_id: id,
    name_en: `Wahat ${letters(id)}`,
    developer_en: 'Masarat Development',
    developer_ar: 'مسارات',
    status: 'under construction',
    city: 'Riyadh',
    // Different projects are far apart.
    lat: 24.5 + (seed % 40) / 100,
    lng: 46.5 + (Math.floor(seed / 40) % 40) / 100,
    price_min: 600_000,
    price_max: 1_200_000,
    unit_types: [{ property_type: 'apartment', bedrooms: 3, bathrooms: 2, area: '110-150', price: '600000-1200000' }],
    delivery: 'Q4 2027',
    features: ['mosque'],
    banks: ['Al Rajhi Bank'],
    photos: [`https://photos.example/project-${id}.jpg`],
    license_number: `LIC-${id}-PRIVATE`,
    updated_at: '2026-04-01T08:00:00Z',
    ...changes,
  };
  return { ok: true, raw, row: raw };
}

/** Replaces digits in ids with letters, because digits in names distinguish phases. */
const letters = (id: string): string => id.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
