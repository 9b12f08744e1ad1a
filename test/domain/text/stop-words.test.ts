import { foldText } from '#domain/fold.ts';
import { STOP_WORDS } from '#domain/text/stop-words.ts';
import { test } from '#test/test.ts';

test('stop words are unique and folded as in the index', (t) => {
  t.deepEqual(STOP_WORDS, STOP_WORDS.map(foldText));
  t.is(new Set(STOP_WORDS).size, STOP_WORDS.length);
});
