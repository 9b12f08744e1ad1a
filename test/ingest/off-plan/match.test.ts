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
  t.true(joined(copy(1), copy(2)));
  t.true(joined(copy(1, { name_en: null }), copy(2, { name_ar: 'مشروع واحه السدر', lat: 24.805 })));
  t.true(joined(copy(1, { lat: null, lng: null }), copy(2)), 'one without a point, in the same neighborhood');
  t.false(joined(copy(1, { lat: null, lng: null, neighborhood_id: 1009 }), copy(2)));
  t.false(joined(copy(1), copy(2, { developer: 2 })));
  t.false(joined(copy(1), copy(2, { lat: 24.9 })), 'eleven kilometers apart');
  t.false(joined(copy(1, { source: 'one' }), copy(2, { source: 'one' })), 'one source lists a project once');
  t.true(joined(copy(1, { source: 'one', live: false }), copy(2, { source: 'one' })), 'listed again under another id');
  t.false(
    joined(
      copy(1, { name_en: 'Wahat Al Sidr 1', name_ar: null }),
      copy(2, { name_en: 'Wahat Al Sidr Phase Two', name_ar: null }),
    ),
  );
  t.true(
    joined(
      copy(1, { name_en: 'Wahat Al Sidr 2', name_ar: null }),
      copy(2, { name_en: 'Wahat Alsidr Phase Two', name_ar: null }),
    ),
  );
  t.true(
    joined(
      copy(1, { license: '7100', name_ar: null }),
      copy(2, { license: '7100', name_en: 'Another', name_ar: null }),
    ),
  );
  t.false(joined(copy(1), copy(2, { name_en: 'Diyar Al Maha', name_ar: 'ديار المها' })));
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

test('project names match across scripts and spelling variants, with or without generic words', (t) => {
  const named = (id: number, name: string): ProjectCopy =>
    copy(id, {
      developer_en: 'Ajdan Real Estate',
      ...(/\p{Script=Arabic}/u.test(name) ? { name_en: null, name_ar: name } : { name_en: name, name_ar: null }),
    });
  const one: [string, string][] = [
    ['Qasr Al Fayrooz', 'Kasr El Fayruz Residence'],
    ['Wahat Al Yasmeen', 'واحة الياسمين'],
    ['Yasmin Oasis', 'مشروع واحة الياسمين'],
    ['Al Khalidiyah Compound', 'الخالدية'],
    ['الفرسان هايتس', 'Al Fursan Heights'],
    ['مرتفعات الفرسان', 'Alfursan Heights Towers'],
    ['Al Aqeeq Phase II', 'العقيق - المرحلة الثانية'],
    ['Nooran Ph2', 'نوران ٢'],
    ['Tuwaiq Riyadh', 'طويق'],
    ['Al Maha by Ajdan', 'المها'],
    ['Jawharat Al Wajhah', 'جوهرة الواجهة'],
  ];
  for (const [a, b] of one) t.true(joined(named(1, a), named(2, b)), `${a} = ${b}`);
  const two: [string, string][] = [
    ['Al Fursan Gardens', 'مرتفعات الفرسان'],
    ['Al Fursan Villas', 'تلال الفرسان'],
    ['Al Fursan', 'برج الفرسان'],
    ['Nooran Phase 2', 'نوران المرحلة الثالثة'],
    ['Dar Al Maha 1', 'دار المها 2'],
    ['Al Majd', 'Al Narjis'],
  ];
  for (const [a, b] of two) t.false(joined(named(1, a), named(2, b)), `${a} / ${b}`);
});

test('a company that other sources repeatedly contradict counts as a seller', (t) => {
  const project = (at: number, source: string, name: string, developer: number): ProjectCopy =>
    copy(at, { source, name_en: name, name_ar: null, developer, lat: 24.5 + Math.floor((at - 1) / 2) / 20 });
  const names = ['Al Maha', 'Nooran', 'Tuwaiq', 'Jinan'];
  const sold = (count: number): ProjectCopy[] =>
    names
      .slice(0, count)
      .flatMap((name, at) => [project(at * 2 + 1, 'one', name, 50), project(at * 2 + 2, 'two', name, at + 1)]);
  t.is(new Set(findCopies(sold(2)).values()).size, 4);
  t.is(new Set(findCopies(sold(4)).values()).size, 4);
  const confirmed = ['three', 'four'].map((source, at) => project(21 + at, source, 'Sedra', 50));
  t.is(new Set(findCopies(sold(3)).values()).size, 3);
  t.is(new Set(findCopies([...sold(3), ...confirmed]).values()).size, 7, 'two sources agree on its own project');
});
