import { parseName, parseNote } from '#app/cli/values.ts';
import { NAME_SCHEMA } from '#src/accounts/names.ts';
import { createValidator } from '#src/http/schema.ts';
import { test } from '#test/test.ts';

const validate = createValidator(NAME_SCHEMA);

test('the API and the command line accept 80 code points with joiners, and reject names without a visible character', (t) => {
  for (const name of [
    'a'.repeat(80),
    '\u{1f3e0}'.repeat(80),
    'می\u200cخواهم',
    '👩\u200d💻 Team',
    "O'Brien & Sons — 7",
  ]) {
    t.is(validate(name), null, name);
    t.is(parseName(name), name);
  }
  for (const name of ['a'.repeat(81), '\u200c\u200d', ' \u200e ', '\u{e0041}\u{e007f}']) {
    t.truthy(validate(name), JSON.stringify(name));
    t.throws(() => parseName(name), undefined, JSON.stringify(name));
  }
  t.throws(() => parseNote('\u2060\ufeff'), { message: /visible/ });
  for (const character of ['\u0000', '\u001b[31m', '\n', '\u009b', '\u202e', '\u2028'])
    t.truthy(validate(`a${character}b`), JSON.stringify(character));
});
