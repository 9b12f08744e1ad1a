import { type CursorState, cursorFingerprint, decodeCursor, encodeCursor } from '#src/http/cursor.ts';
import { test } from '#test/test.ts';

const SECRET = { id: 'new1', secret: 'the secret now' };
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const state: CursorState = {
  offset: 20,
  after: [1_780_000_000_000, 4711],
  fingerprint: cursorFingerprint('org_1', 'newest', { city: 'riyadh' }),
};
const cursor = encodeCursor(state, [SECRET]);

test('a cursor with a changed, removed, repeated or added character is refused', (t) => {
  t.deepEqual(decodeCursor(cursor, [SECRET]), state);
  const accepted: string[] = [];
  const refused = (text: string): void => {
    if (decodeCursor(text, [SECRET]) !== null) accepted.push(text);
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
