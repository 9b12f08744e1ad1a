import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { loadSources } from '#ingest/load-sources.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { identifyDevelopers } from '#ingest/off-plan/developers.ts';
import { createLinker, type LinkTarget, referenceKey } from '#ingest/off-plan/link.ts';
import { findCopies, type ProjectCopy } from '#ingest/off-plan/match.ts';
import { projectNameKey } from '#ingest/off-plan/names.ts';
import { normalizeProject, readDelivery } from '#ingest/off-plan/normalize.ts';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import { generateOffPlanSample, OFF_PLAN_TRUTH, type OffPlanTruth } from '#sample/off-plan.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { temporaryFolder } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';

/**
 * Compares merging and linking with the sample's true projects, for several seeds and at three times the sample size.
 */
const SEEDS = [3, 4, 5];
const at = new Date('2026-11-20T12:00:00Z');
const { signal } = new AbortController();

interface Judged {
  truth: OffPlanTruth[];
  copies: (ProjectCopy & { key: string; names: string[] })[];
  developers: ReturnType<typeof identifyDevelopers>;
  boundaries: Record<string, number>;
  units: { source: string; id: string; found: number | null; by: string | null }[];
}

async function judge(t: ExecutionContext, seed: number): Promise<Judged> {
  const dir = await temporaryFolder(t);
  const day = '2026-11-20';
  generateOffPlanSample({ dir, seed, days: [day], hostUrl: 'http://photos.test', projects: 200, units: 3_000 });
  const lines = (await readFile(join(dir, OFF_PLAN_TRUTH), 'utf8')).trim().split('\n');
  const stated = [];
  const boundaries: Record<string, number> = {};
  for (const source of loadProjectSources({ dataDir: dir })) {
    for await (const row of source.rows({ at, signal })) {
      if (!row.ok) throw new Error(row.detail);
      const result = normalizeProject(row.raw, at);
      if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
      if (result.boundary) boundaries[result.boundary] = (boundaries[result.boundary] ?? 0) + 1;
      const { project, license } = result;
      stated.push({ ...project, source: source.name, key: project.source_project_id, live: true, license });
    }
  }
  const developers = identifyDevelopers(new Map(), stated);
  const copies = stated.map((each, index) => ({
    ...each,
    id: index + 1,
    developer: developers.ids[index] ?? null,
    names: [each.name_en, each.name_ar].filter((name) => name !== null),
  }));
  const owners = findCopies(copies);
  const targets = copies.map((copy): LinkTarget => ({ ...copy, id: owners.get(copy.id) as number }));
  const merged = [...new Map(targets.map((target) => [target.id, target])).values()].map((target) => ({
    ...target,
    names: targets.filter(({ id }) => id === target.id).flatMap(({ names }) => names),
  }));
  const references = new Map(
    copies.map(({ source, key, id }) => [referenceKey(source, key), owners.get(id) as number]),
  );
  const find = createLinker(merged, references, developers.keys);
  const units: Judged['units'] = [];
  for (const source of await loadSources({ dataDir: dir, sources: SAMPLE_SOURCES })) {
    for await (const row of source.rows({ at, signal })) {
      if (!row.ok) throw new Error(row.detail);
      const result = normalize(source, row.raw, at);
      if (!result.ok) throw new Error(`${result.reason}: ${result.detail}`);
      const { listing } = result;
      const project = listing.project ?? { id: null, name: null, developer: null };
      const link = find({ ...listing, ...project, source: source.name, reference: project.id });
      units.push({
        source: source.name,
        id: listing.source_listing_id,
        found: link?.project ?? null,
        by: link?.by ?? null,
      });
    }
  }
  const truth = lines.map((line) => JSON.parse(line) as OffPlanTruth);
  return { truth, copies, developers, boundaries, units };
}

for (const seed of SEEDS) {
  test(`copies of projects are merged and units linked, seed ${seed}`, async (t) => {
    const { truth, copies, developers, boundaries, units } = await judge(t, seed);
    const owners = findCopies(copies);
    const real = new Map(truth.map((fact) => [`${fact.kind} ${fact.source} ${fact.id}`, fact.project]));
    const projectOf = ({ source, key }: { source: string; key: string }) => real.get(`project ${source} ${key}`);
    let [right, wrong, missed] = [0, 0, 0];
    for (const [index, a] of copies.entries()) {
      for (const b of copies.slice(index + 1)) {
        const same = projectOf(a) === projectOf(b);
        const joined = owners.get(a.id) === owners.get(b.id);
        if (same && joined) right += 1;
        else if (joined) wrong += 1;
        else if (same) missed += 1;
      }
    }
    t.true(right > 50);
    t.true(right / (right + wrong) >= 0.99, `precision: ${wrong} of ${right + wrong} wrong`);
    t.true(right / (right + missed) >= 0.95, `recall: ${missed} of ${right + missed} missed`);
    t.is(new Set(developers.ids).size, 24);

    const truthOfId = new Map(copies.map((copy) => [owners.get(copy.id), projectOf(copy)]));
    const linked = units.filter(({ found }) => found !== null);
    const wrongly = linked.filter(
      ({ source, id, found }) => truthOfId.get(found ?? 0) !== real.get(`unit ${source} ${id}`),
    );
    t.true(wrongly.length <= linked.length * 0.005, `${wrongly.length} of ${linked.length} units linked wrongly`);
    t.true(linked.length >= units.length * 0.95, `${linked.length} of ${units.length} units linked`);
    t.deepEqual([...new Set(linked.map(({ by }) => by))].sort(), ['name', 'reference']);
    t.true((boundaries.repaired ?? 0) > 0 && (boundaries.crosses_itself ?? 0) > 0, JSON.stringify(boundaries));
  });
}

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

test("variants of a developer's name in Arabic and Latin script resolve to one developer", (t) => {
  const idsOf = (known: ReadonlyMap<string, number>, ...names: string[]) =>
    identifyDevelopers(
      known,
      names.map((name) =>
        /[a-z]/i.test(name) ? { developer_en: name, developer_ar: null } : { developer_en: null, developer_ar: name },
      ),
    );
  const found = idsOf(
    new Map(),
    'Masarat Development',
    'شركة مسارات للتطوير العقاري',
    'Massarat Real Estate CJSC',
    'Al-Qahtani Holding',
    'مؤسسة القحطاني للعقارات',
    'شركة سمو',
    'Sama Co.',
    'Al Majid',
    'الأمجاد',
  );
  t.deepEqual(found.ids, [1, 1, 1, 2, 2, 3, 4, 5, 6]);
  const apart = new Map([
    ['en:dariqmar', 4],
    ['ar:دارقمر', 7],
  ]);
  t.deepEqual(idsOf(apart, 'Dar Iqmar', 'دار قمر').ids, [4, 4], 'known as two before spellings were compared');
});

const spelled = (name: string, developer: string | null, changes: Partial<ProjectCopy> = {}): ProjectCopy => {
  const arabic = /\p{Script=Arabic}/u;
  return copy(0, {
    name_en: arabic.test(name) ? null : name,
    name_ar: arabic.test(name) ? name : null,
    developer_en: developer === null || arabic.test(developer) ? null : developer,
    developer_ar: developer !== null && arabic.test(developer) ? developer : null,
    ...changes,
  });
};
/** Returns whether copies are merged. Developers are identified by name. */
function joinedAs(...copies: ProjectCopy[]): boolean {
  const numbered = copies.map((each, at) => ({ ...each, id: at + 1, source: `source_${at + 1}` }));
  const { ids } = identifyDevelopers(
    new Map(),
    numbered.map(({ developer_en, developer_ar }) => ({
      developer_en: developer_en ?? null,
      developer_ar: developer_ar ?? null,
    })),
  );
  return joined(...numbered.map((each, at) => ({ ...each, developer: ids[at] ?? null })));
}
const nowhere = { lat: null, lng: null, neighborhood_id: null };

test('project names match across scripts and spelling variants, with or without generic words', (t) => {
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
  for (const [a, b] of one) t.true(joinedAs(spelled(a, 'Ajdan Real Estate'), spelled(b, 'شركة أجدان')), `${a} = ${b}`);
  const two: [string, string][] = [
    ['Al Fursan Gardens', 'مرتفعات الفرسان'],
    ['Al Fursan Villas', 'تلال الفرسان'],
    ['Al Fursan', 'برج الفرسان'],
    ['Nooran Phase 2', 'نوران المرحلة الثالثة'],
    ['Dar Al Maha 1', 'دار المها 2'],
    ['Al Majd', 'Al Narjis'],
  ];
  for (const [a, b] of two) t.false(joinedAs(spelled(a, 'Ajdan Real Estate'), spelled(b, 'شركة أجدان')), `${a} / ${b}`);
});

test('copies without one of the compared facts are merged if enough other facts match', (t) => {
  t.true(joinedAs(spelled('Al Maha', 'Ajdan', nowhere), spelled('المها', 'شركة أجدان', nowhere)), 'name and developer');
  t.false(joinedAs(spelled('Al Maha', null, nowhere), spelled('المها', 'شركة أجدان')), 'a name alone');
  t.true(joinedAs(spelled('Al Maha', null), spelled('المها', 'شركة أجدان')), 'name and place');
  t.true(joinedAs(spelled('Al Maha', 'AQRED'), spelled('المها', 'شركة القحطاني')), 'initials');
  t.true(joinedAs(spelled('Al Maha', null), spelled('Al Maha Phase 1', null)), 'the first phase');
  t.false(joinedAs(spelled('Al Maha', 'Ajdan'), spelled('المها', 'شركة القحطاني')), 'two developers');
  const [english, arabic] = [spelled('Elite', 'Ajdan'), spelled('النخبة', 'شركة أجدان')];
  t.true(joinedAs(english, arabic), 'a name that is translated, at one place');
  t.false(joinedAs(english, { ...arabic, lat: 24.803 }), 'and a distance of 330 meters');
  const both = { ...english, name_ar: arabic.name_ar };
  t.true(joinedAs(english, { ...arabic, lat: 24.803 }, both), 'where a third copy has both names');
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

test('phases of a project are distinguished by their numbers', (t) => {
  t.deepEqual(projectNameKey('واحة السدر المرحلة الثانية'), projectNameKey('مشروع واحه السدر 2'));
  t.not(projectNameKey('واحة السدر 1').numbers, projectNameKey('واحة السدر').numbers);
});

test('project delivery dates are parsed in every source format', (t) => {
  const cases: Record<string, string | null> = {
    'Q4 2027': '2027-12-31',
    '2027-Q1': '2027-03-31',
    'الربع الثالث ٢٠٢٨': '2028-09-30',
    '2028-02': '2028-02-29',
    '2027-05-17': '2027-05-17',
    soon: null,
    '': null,
  };
  for (const [text, day] of Object.entries(cases)) t.is(readDelivery(text), day, text);
});
