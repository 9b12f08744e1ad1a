import { heldSources, releaseSource } from '#ingest/run/held-sources.ts';
import { lastSourceReports } from '#ingest/run/source-report.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../off-plan/ground.ts';
import { ad, ads, pipelineOfFile, testSource } from './pipeline.ts';

const pipeline = pipelineOfFile('ingest-feeds');

// Only one ingest run can be active per installation, so these tests are serial and use separate sources.
let clock = Date.parse('2026-04-02T03:00:00Z');
const DAY = 86_400_000;
/** The time of the next run, `days` after the previous one. */
function later(days = 1): string {
  clock += days * DAY;
  return new Date(clock).toISOString();
}

const lastSeen = async (source: string): Promise<Date> =>
  (await pipeline.pool.query('select last_seen_at from source_states where source = $1', [source])).rows[0]
    .last_seen_at;

test('ids that a spreadsheet has rounded are rejected with the remedy, and withdraw no ad', async (t) => {
  const source = testSource('rounded');
  source.feed = ['123456789012', '123456789013', '7'].map((id) => ad(id));
  await pipeline.run([source], later());
  source.feed = ['1.23457E+11', '1.23457E+11', '7'].map((id) => ad(id));
  await pipeline.run([source], later());
  const { rows } = await pipeline.pool.query(
    `select s.error, count(*)::int as live from source_states s join listings l using (source)
      where s.source = 'rounded' and l.withdrawn_at is null group by s.error`,
  );
  t.is(rows[0].live, 3);
  t.regex(rows[0].error, /the id "1\.23457E\+11" .* Format the column of ids as text/);
});

test('a truncated feed adds and changes ads, and withdraws nothing', async (t) => {
  const source = testSource('cut');
  source.feed = ads(9, 'c');
  source.end = { cut: null, lineBreak: true };
  await pipeline.run([source], later());
  const seen = await lastSeen('cut');
  source.feed = [...ads(5, 'c'), ad('c-new')];
  source.end = { cut: 'the feed ends in the middle of a line', lineBreak: false };
  const cut = await pipeline.run([source], later());
  t.deepEqual(cut.failed, { cut: 'the feed ends in the middle of a line' });
  t.deepEqual(cut.events, { 'listing.created': 1 });
  t.deepEqual(await lastSeen('cut'), seen);
  source.feed = [...ads(1, 'c'), ad('c-late'), new Error('connection reset')];
  const broken = await pipeline.run([source], later());
  t.deepEqual([broken.failed, broken.events], [{ cut: 'connection reset' }, { 'listing.created': 1 }]);
  t.deepEqual(await lastSeen('cut'), seen);
  source.feed = [...ads(5, 'c'), ad('c-new'), ad('c-late')];
  // A feed without its final line break may be truncated within the last field.
  source.end = { cut: null, lineBreak: false };
  t.regex((await pipeline.run([source], later())).failed.cut ?? '', /without the line break/);
  source.end = { cut: null, lineBreak: true };
  const whole = await pipeline.run([source], later());
  t.deepEqual([whole.failed, whole.events], [{}, { 'listing.delisted': 4 }]);
});

test('a feed with a renamed column is held, and ignored until an operator releases it', async (t) => {
  const source = testSource('renamed');
  const feed = (changes: Parameters<typeof ads>[2]) => ads(20, 'n', { area: 100, ...changes });
  source.feed = feed({ price: 50_000 });
  await pipeline.run([source], later());
  for (const [changes, reason] of [
    [{ price: null }, /the price is gone from 20 of 20 ads/],
    [{ price: 50_000, photos: [] }, /the photos is gone|the photos/],
    [{ price: 5_000 }, /20 of 20 prices moved/],
    [{ price: 50_000, city: 'Atlantis', lat: null, lng: null }, /20 of 20 known ads cannot be read/],
  ] as const) {
    source.feed = [...feed(changes), ad('n-new')];
    const held = await pipeline.run([source], later());
    t.regex(held.held.renamed ?? '', reason);
    t.deepEqual(held.events, {}, 'a held feed adds no ads');
  }
  t.like(await heldSources(pipeline.pool), [{ source: 'renamed' }]);
  source.feed = feed({ price: 45_500 });
  t.deepEqual((await pipeline.run([source], later())).held, {}, 'all prices fall by a tenth and less');
  source.feed = feed({ price: 30_000 });
  t.truthy((await pipeline.run([source], later())).held.renamed);
  await releaseSource(pipeline.pool, 'renamed');
  const released = await pipeline.run([source], later());
  t.deepEqual([released.held, released.events], [{}, { 'listing.price_changed': 20 }]);
  await t.throwsAsync(releaseSource(pipeline.pool, 'renamed'), { message: /not held/ });
  source.feed = [...feed({ price: null }).slice(10), ...feed({ price: 30_000 }).slice(0, 10)];
  t.deepEqual((await pipeline.run([source], later())).held, {}, 'half of the prices are missing');
});

test('an old feed confirms no ads, and after fourteen days its ads are withdrawn as stale', async (t) => {
  const source = testSource('aging');
  source.feed = ads(6, 'a');
  source.of = { at: new Date(clock + DAY), maxAgeDays: 3 };
  await pipeline.run([source], later(1));
  await pipeline.run([source], later(3));
  const confirmed = await lastSeen('aging');
  t.is(confirmed.getTime(), clock);
  const stale = await pipeline.run([source], later(1));
  t.regex(stale.stale.aging ?? '', /4 days before the run/);
  t.deepEqual([stale.failed, stale.events, await lastSeen('aging')], [{}, {}, confirmed]);
  t.deepEqual((await pipeline.run([source], later(10))).events, {}, 'fourteen days');
  const expired = await pipeline.run([source], later(1));
  t.deepEqual([expired.events, expired.held], [{ 'listing.delisted': 6 }, {}]);
  t.deepEqual((await pipeline.run([source], later(1))).events, {}, 'an expired feed is not read again');
  source.of = { at: new Date(clock + DAY), maxAgeDays: 3 };
  const renewed = await pipeline.run([source], later(1));
  t.deepEqual([renewed.events, renewed.stale], [{ 'listing.created': 6 }, {}]);
  t.is((await pipeline.listing('aging', 'a1')).withdrawn_reason, null);
});

test('a missing feed is a failed source, an archive does not age, and a feed may never end with a line break', async (t) => {
  const [archive, missing] = [testSource('archive'), testSource('missing')];
  archive.feed = ads(3, 'r');
  archive.of = { at: new Date('2022-01-01'), maxAgeDays: null };
  archive.end = { cut: null, lineBreak: false };
  missing.snapshot = () => Promise.reject(new Error('feeds/missing is not there'));
  const report = await pipeline.run([archive, missing], later());
  t.deepEqual([report.failed, report.stale], [{ missing: 'feeds/missing is not there' }, {}]);
  t.deepEqual(report.events, { 'listing.created': 3 });
  archive.feed = ads(2, 'r');
  const shorter = await pipeline.run([archive], later());
  t.deepEqual([shorter.failed, shorter.events], [{}, { 'listing.delisted': 1 }]);
});

test('the report has the outcomes of ads by source, and scores them', async (t) => {
  const [source, other] = [testSource('photoless'), testSource('seen')];
  const home = { price: 61_000, area: 143, bedrooms: 3, floor: '2', age_years: 4, lat: 24.8123, lng: 46.6123 };
  const nowhere = { city: 'Atlantis', lat: null, lng: null };
  source.feed = [...ads(4, 'p', { photos: [] }), ad('same', home), ad('bad', nowhere), ad('same', home)];
  other.feed = [...ads(2, 'q'), ad('too', home), ad('silent', { price: null })];
  const { sources } = await pipeline.run([source, other], later());
  t.like(sources, [
    { source: 'photoless', read: 7, rejected: { unknown_city: 1, duplicate_id: 1 }, live: 5, merged: 0, found: 1 },
    { source: 'seen', read: 4, live: 4, merged: 1, hidden: { no_photos: 0, no_price: 1 }, found: 2 },
  ]);
  t.like(sources[0]?.hidden, { no_photos: 4, no_price: 0, implausible: 0 });
  t.like(sources[0]?.quality, { accepted: 83.3, visible: 20, fields: { photos: 20, price: 100 } });
  t.like(sources[1]?.quality, { accepted: 100, visible: 66.7, unique: 75, fields: { photos: 100, price: 75 } });
  for (const { quality } of sources) {
    const parts = [quality.filled, quality.accepted, quality.visible, quality.unique, quality.recent] as number[];
    const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length;
    t.true(Math.abs((quality.score ?? Number.NaN) - mean) <= 0.1);
  }
  t.deepEqual(await lastSourceReports(pipeline.pool), sources);
});

/** Entries from one id to another, which is not included. */
const entries = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `h${from + index}`);
type Step = readonly [listed: readonly string[], reason: RegExp | null, live: readonly string[], release?: true];

/** Sequences of feeds, with the reason for which each is held and the entries that are then live. */
const SEQUENCES: readonly (readonly Step[])[] = [
  [
    [entries(0, 4), null, entries(0, 4)],
    [entries(4, 12), /^4 of 4 ads are gone/, entries(0, 12)],
    // Reading the same feed again does not release it.
    [entries(4, 12), /^4 of 4 ads are gone/, entries(0, 12)],
    [[], /^4 of 4 ads are gone/, entries(0, 12)],
    [entries(4, 12), null, entries(4, 12), true],
  ],
  [
    [entries(0, 6), null, entries(0, 6)],
    [entries(0, 3), null, entries(0, 3)],
    [entries(3, 9), /^3 of 3 ads are gone/, entries(0, 9)],
    [entries(6, 12), /^3 of 3 ads are gone/, entries(0, 12)],
    [[], null, [], true],
  ],
];

for (const kind of ['ads', 'projects'] as const)
  test(`a feed of ${kind} that lacks more than half of the entries of its last complete run is held`, async (t) => {
    for (const [number, steps] of SEQUENCES.entries()) {
      const name = `shrinking_${number}`;
      const [source, projects] = [testSource(name), testProjects(name)];
      const isAds = kind === 'ads';
      for (const [step, [listed, reason, live, release]] of steps.entries()) {
        const feed = isAds ? name : `${name}/projects`;
        if (release) await releaseSource(pipeline.pool, feed);
        source.feed = listed.map((id) => ad(id));
        projects.feed = listed.map((id) => project(id));
        const sources = isAds ? [source] : [];
        const { held } = await pipeline.run(sources, later(), { projectSources: isAds ? [] : [projects] });
        if (reason === null) t.deepEqual(held, {}, `${number} ${step}`);
        else t.regex(held[feed] ?? '', reason, `${number} ${step}`);
        const { rows } = await pipeline.pool.query<{ id: string }>(
          isAds
            ? 'select source_listing_id as id from listings where source = $1 and withdrawn_at is null'
            : 'select source_project_id as id from off_plan_records where source = $1 and withdrawn_at is null',
          [name],
        );
        t.deepEqual(rows.map(({ id }) => id).sort(), [...live].sort(), `${number} ${step}`);
      }
    }
  });
