import { identifyDevelopers } from '#ingest/off-plan/developers.ts';
import { findCopies, type ProjectCopy } from '#ingest/off-plan/match.ts';
import { test } from '#test/test.ts';

const copy = (id: number, changes: Partial<ProjectCopy> = {}): ProjectCopy => ({
  id,
  source: `source_${id}`,
  live: true,
  name_en: 'Wahat Al Sidr',
  name_ar: 'واحة السدر',
  developer: 1,
  city: 'riyadh',
  neighborhood_id: 1001,
  lat: 24.8,
  lng: 46.6,
  license: null,
  ...changes,
});
const joined = (...copies: ProjectCopy[]): boolean => new Set(findCopies(copies).values()).size === 1;

test('copies that differ in a distinguishing fact are separate projects', (t) => {
  for (const [isOne, first, second] of [
    [true, { name_en: null }, { name_ar: 'مشروع واحه السدر', lat: 24.805 }],
    // Without a point, in the same or another neighborhood.
    [true, { lat: null, lng: null }, {}],
    [false, { lat: null, lng: null, neighborhood_id: 1009 }, {}],
    [false, {}, { developer: 2 }],
    // Eleven kilometers apart.
    [false, {}, { lat: 24.9 }],
    // One source lists a project once, or again under another id.
    [false, { source: 'one' }, { source: 'one' }],
    [true, { source: 'one', live: false }, { source: 'one' }],
    [false, { name_en: 'Wahat Al Sidr 1', name_ar: null }, { name_en: 'Wahat Al Sidr Phase Two', name_ar: null }],
    [true, { name_en: 'Wahat Al Sidr 2', name_ar: null }, { name_en: 'Wahat Alsidr Phase Two', name_ar: null }],
    [true, { license: '7100', name_ar: null }, { license: '7100', name_en: 'Another', name_ar: null }],
    [false, {}, { name_en: 'Diyar Al Maha', name_ar: 'ديار المها' }],
  ] as const)
    t.is(joined(copy(1, first), copy(2, second)), isOne, JSON.stringify(second));
});

test('a project has the id of its oldest copy, for any order of copies', (t) => {
  const copies = [copy(3), copy(1), copy(2, { live: false })];
  for (const order of [copies, [...copies].reverse()]) {
    const owners = findCopies(order);
    t.deepEqual(
      [1, 2, 3].map((id) => owners.get(id)),
      [1, 1, 1],
    );
  }
});

test('developers keep their ids, and a merged developer has the oldest id', (t) => {
  const first = identifyDevelopers(new Map(), [
    { developer_en: 'Horizon Development', developer_ar: null },
    { developer_en: null, developer_ar: 'شركة الأفق للتطوير العقاري' },
    { developer_en: 'Company', developer_ar: null },
    { developer_en: null, developer_ar: null },
  ]);
  t.deepEqual(first.ids, [1, 2, 3, null]);
  const second = identifyDevelopers(first.keys, [{ developer_en: 'Horizon Co', developer_ar: 'الأفق العقارية' }]);
  t.deepEqual(second.ids, [1]);
  t.deepEqual([...new Set(second.keys.values())], [1, 3]);
});
