import { type SourceCounts, type SourceScore, scoreSource } from '#ingest/run/source-score.ts';
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
const empty = { live: 0, recent: 0, fields: {} };
const half = { price: { of: 200, filled: 100 }, bedrooms: { of: 150, filled: 0 } };
const full = { filled: 100, accepted: 100, visible: 100, unique: 100, recent: 100 };

const SCORES: readonly (readonly [title: string, Partial<SourceCounts>, Partial<SourceScore>])[] = [
  ['no faults', {}, { ...full, score: 100, fields: { price: 100, bedrooms: 100 } }],
  ['a fifth for rejects', { rejected: 100 }, { accepted: 50, score: 90 }],
  ['a fifth for hidden ads', { hidden: 50 }, { visible: 75, score: 95 }],
  ['a fifth for old ads', { recent: 0 }, { recent: 0, score: 80 }],
  ['a fifth for fields', { fields: half }, { filled: 25, fields: { price: 50, bedrooms: 0 }, score: 85 }],
  ['merged ads are not hidden', { merged: 50, hidden: 75 }, { unique: 75, visible: 50 }],
  [
    'repeated rows are duplicates, not rejects',
    { read: 300, repeated: 50, rejected: 50 },
    { accepted: 80, unique: 80, visible: 100 },
  ],
  ['no rows', { read: 0, rejected: 0 }, { accepted: null, score: 100 }],
  ['no field that applies', { fields: { price: { of: 0, filled: 0 } } }, { filled: null, fields: { price: null } }],
  ['all ads merged', { live: 40, merged: 40 }, { visible: null, unique: 0 }],
  ['no live ads', empty, { score: null, filled: null, accepted: 100, visible: null, unique: null, recent: null }],
  ['counts that contradict each other', { hidden: 300, rejected: 300 }, { visible: 0, accepted: 0, score: 60 }],
];

test('the score of a source is the mean of its five parts, without those that have no rows or ads', (t) => {
  for (const [title, changes, expected] of SCORES) t.like(scoreSource({ ...PERFECT, ...changes }), expected, title);
});
