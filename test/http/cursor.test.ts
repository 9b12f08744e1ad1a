import fc from 'fast-check';
import { type CursorState, cursorFingerprint, decodeCursor, encodeCursor } from '#http/cursor.ts';
import { test } from '#test/test.ts';

const OLD = { id: 'old', secret: 'the secret before' };
const NEW = { id: 'new1', secret: 'the secret now' };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const state: CursorState = {
  offset: 20,
  after: [1_780_000_000_000, 4711],
  fingerprint: cursorFingerprint('org_1', 'newest', { city: 'riyadh' }),
};
const cursor = encodeCursor(state, [NEW]);

test('a cursor can encode any position and a key id of any length', (t) => {
  const states = fc.record({
    offset: fc.nat(100_000),
    after: fc.oneof(
      fc.tuple(fc.double({ noNaN: true }), fc.nat(Number.MAX_SAFE_INTEGER)),
      fc.tuple(fc.nat(), fc.nat(), fc.string({ minLength: 1, maxLength: 20, unit: 'binary' })),
    ),
  });
  const secrets = fc.record({ id: fc.stringMatching(/^[a-z0-9]{1,8}$/), secret: fc.string({ minLength: 1 }) });
  fc.assert(
    fc.property(states, secrets, ({ offset, after }, secret) => {
      const { fingerprint } = state;
      const text = encodeCursor({ offset, after, fingerprint }, [secret]);
      t.regex(text, /^[A-Za-z0-9_-]+$/);
      t.deepEqual(decodeCursor(text, [secret]), { offset, after, fingerprint });
    }),
    { numRuns: 200 },
  );
});

test('a cursor with a changed, removed, repeated or added character is refused', (t) => {
  const accepted: string[] = [];
  const refused = (text: string): void => {
    if (decodeCursor(text, [NEW, OLD]) !== null) accepted.push(text);
  };
  const bytes = Buffer.from(cursor, 'base64url');
  for (let at = 0; at < bytes.length; at += 1)
    for (let flip = 1; flip < 256; flip += 1) {
      const edited = Buffer.from(bytes);
      edited[at] = (edited[at] as number) ^ flip;
      refused(edited.toString('base64url'));
    }
  for (let at = 0; at < cursor.length; at += 1) {
    const [before, behind] = [cursor.slice(0, at), cursor.slice(at + 1)];
    for (const char of `${ALPHABET}=+/ .`) if (char !== cursor[at]) refused(before + char + behind);
    refused(before + behind);
    refused(before + cursor[at] + cursor[at] + behind);
  }
  for (const char of `${ALPHABET}= \n`) refused(cursor + char);
  t.deepEqual(accepted, []);
});

test('cursors are signed with the first secret, verified with all secrets, and refused if their secret was removed', (t) => {
  const old = encodeCursor(state, [OLD]);
  t.deepEqual(decodeCursor(old, [NEW, OLD]), state);
  t.is(decodeCursor(old, [NEW]), null);
  const signed = encodeCursor(state, [NEW, OLD]);
  t.deepEqual(decodeCursor(signed, [NEW]), state);
  t.is(decodeCursor(signed, [OLD]), null);
  t.is(decodeCursor(signed, [{ ...NEW, secret: 'another' }]), null);
  t.throws(() => encodeCursor(state, []), { message: /no cursor secret/ });
});
