import fc from 'fast-check';
import { type SourceCounts, scoreSource } from '#ingest/run/source-score.ts';
import { test } from '#test/test.ts';

const PERFECT: SourceCounts = {
  read: 200,
  repeated: 0,
  rejected: 0,
  live: 200,
  merged: 0,
  hidden: 0,
  recent: 200,
  fields: { price: { of: 200, filled: 200 }, bedrooms: { of: 150, filled: 150 } },
};

const scoreOf = (changes: Partial<SourceCounts>) => scoreSource({ ...PERFECT, ...changes });

test('a source without faults has a score of 100', (t) => {
  t.deepEqual(scoreOf({}), {
    score: 100,
    filled: 100,
    accepted: 100,
    visible: 100,
    unique: 100,
    recent: 100,
    fields: { price: 100, bedrooms: 100 },
  });
});

test("each of the five parts of a source's score has equal weight", (t) => {
  t.like(scoreOf({ rejected: 100 }), { accepted: 50, score: 90 });
  t.like(scoreOf({ hidden: 50 }), { visible: 75, score: 95 });
  t.like(scoreOf({ recent: 0 }), { recent: 0, score: 80 });
  const fields = { price: { of: 200, filled: 100 }, bedrooms: { of: 150, filled: 0 } };
  t.like(scoreOf({ fields }), { filled: 25, fields: { price: 50, bedrooms: 0 }, score: 85 });
});

test('merged ads do not count as hidden', (t) => {
  t.like(scoreOf({ merged: 50, hidden: 75 }), { unique: 75, visible: 50 });
});

test('repeated rows count as duplicates, not as rejects', (t) => {
  t.like(scoreOf({ read: 300, repeated: 50, rejected: 50 }), { accepted: 80, unique: 80, visible: 100 });
});

test("parts of a source's score that have no rows or ads are excluded from the mean", (t) => {
  t.like(scoreOf({ read: 0, rejected: 0 }), { accepted: null, score: 100 });
  t.like(scoreOf({ fields: { price: { of: 0, filled: 0 } } }), { filled: null, fields: { price: null }, score: 100 });
  t.like(scoreOf({ live: 40, merged: 40 }), { visible: null, unique: 0 });
});

test('a source without live ads has no score', (t) => {
  const empty = { live: 0, recent: 0, fields: {} };
  t.like(scoreOf(empty), { score: null, filled: null, accepted: 100, visible: null, unique: null, recent: null });
});

const counts = fc.nat({ max: 1_000 });
const anySource: fc.Arbitrary<SourceCounts> = fc.record({
  read: counts,
  repeated: counts,
  rejected: counts,
  live: fc.integer({ min: 1, max: 1_000 }),
  merged: counts,
  hidden: counts,
  recent: counts,
  fields: fc.record({ price: fc.record({ of: counts, filled: counts }) }),
});

test('a score is between 0 and 100, and faults never raise it', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(anySource, fc.constantFrom('rejected' as const, 'hidden' as const), counts, (source, fault, more) => {
        const { score } = scoreSource(source);
        const worse = scoreSource({ ...source, [fault]: source[fault] + more }).score;
        return score !== null && worse !== null && score >= 0 && score <= 100 && worse <= score;
      }),
    ),
  );
});
