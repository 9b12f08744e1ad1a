import { type Attempt, type PhotoState, requestOf, shownPhotos, stateAfter } from '#ingest/photos/states.ts';
import { test } from '#test/test.ts';

const LIMITS = { run: 7, maxAttempts: 3 };
const validators = { etag: null, lastModified: null };
const stored = (key: string, more: Partial<{ small: boolean; run: number }> = {}): PhotoState => ({
  ...{ status: 'stored', attempts: 1, run: 6, small: false, key, validators },
  ...more,
});
const failed = (attempts: number, run = 6): PhotoState => ({ status: 'failed', attempts, run });

test('a task requests each URL once per run, and a missing photo a limited number of times', (t) => {
  const copy = (state?: PhotoState) => requestOf('copy', state, LIMITS)?.attempts ?? null;
  const check = (state?: PhotoState) => requestOf('check', state, LIMITS)?.attempts ?? null;
  t.deepEqual([copy(), copy(failed(1)), copy(failed(2)), copy(failed(3))], [1, 2, 3, null]);
  t.deepEqual([copy(stored('a')), check(stored('a')), check(), check(failed(1))], [null, 1, null, null]);
  t.deepEqual([copy(failed(1, 7)), check(stored('a', { run: 7 }))], [null, null]);
  t.like(requestOf('check', stored('a'), LIMITS), { stored: { key: 'a' } });
});

test('a failure of a stored photo changes nothing, and a final failure is not retried', (t) => {
  const after = (attempt: Pick<Attempt, 'stored' | 'outcome'>) =>
    stateAfter({ hash: 'h', attempts: 2, ...attempt }, LIMITS);
  const photo = { key: 'a', validators };
  const outcome = { ...photo, small: true, phash: null };
  t.deepEqual(after({ stored: null, outcome }), { ...stored('a', { small: true, run: 7 }), attempts: 2 });
  t.like(after({ stored: photo, outcome: { ...outcome, key: 'b' } }), { status: 'stored', key: 'b' });
  t.deepEqual(after({ stored: null, outcome: { error: 'timeout', final: false } }), failed(2, 7));
  t.deepEqual(after({ stored: null, outcome: { error: 'bmp', final: true } }), failed(3, 7));
  t.is(after({ stored: photo, outcome: { error: 'timeout', final: true } }), null);
  t.is(after({ stored: photo, outcome: { unchanged: photo } }), null);
});

test('a listing shows distinct large photos, or small ones if it has no other, and waits for retries', (t) => {
  const shown = (...states: (PhotoState | undefined)[]) => shownPhotos(states, LIMITS.maxAttempts);
  const small = stored('s', { small: true });
  t.deepEqual(shown(stored('a'), small, stored('b'), stored('a')), { keys: ['a', 'b'], isWaiting: false });
  t.deepEqual(shown(small, failed(3)), { keys: ['s'], isWaiting: false });
  t.deepEqual(shown(failed(1)), { keys: [], isWaiting: true });
  t.is(shown(stored('a'), undefined), null, 'an assumed key');
});
