import fc from 'fast-check';
import { MAX_QUOTED, quote } from '#domain/text/visible.ts';
import { test } from '#test/test.ts';

test('a quoted text has a limited length and no control characters, invisible characters or inner quotation marks', (t) => {
  const unit = fc.constantFrom('a', 'ش', ' ', '`', '\u0000', '\u001b', '\u202e', '\u200f', '\u2028', '😀', '\ud800');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      const quoted = quote(text);
      // An escape sequence has at most ten characters.
      return /^`[^\p{C}\p{Zl}\p{Zp}`]*`$/u.test(quoted) && quoted.length <= 10 * (MAX_QUOTED + 1) + 2;
    }),
  );
  t.is(quote('😀'.repeat(60)), `\`${'😀'.repeat(60)}\``);
  t.is(quote('https://user:p@ss@host.test/x'), '`https://[redacted]host.test/x`');
  t.false(quote(`https://user:${'p'.repeat(500)}@host.test`).includes('pp'));
});
