import { isName, NAME_SCHEMA } from '#accounts/names.ts';
import { parseName, parseNote } from '#cli/values.ts';
import { isVisible } from '#domain/text/visible.ts';
import { createValidator } from '#http/schema.ts';
import { test } from '#test/test.ts';

const validate = createValidator(NAME_SCHEMA);

test('a name needs at least one character that is not a control, format, separator or default-ignorable character', (t) => {
  const invisible = /[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10_ffff; code += 1) {
    const text = String.fromCodePoint(code);
    if (isName(text) === invisible.test(text) || isVisible(text) === invisible.test(text))
      wrong.push(code.toString(16));
  }
  t.deepEqual(wrong, []);
});

test('the API and the command line reject names without a visible character, and the API control characters', (t) => {
  for (const name of ['\u200b', '\u200c\u200d', '\u2060\ufeff', ' \u200e ', '\u3164', '\u2800', '\u{e0041}\u{e007f}']) {
    t.truthy(validate(name), JSON.stringify(name));
    t.throws(() => parseName(name), { message: /visible/ });
    t.throws(() => parseNote(name), { message: /visible/ });
  }
  for (const character of ['\u0000', '\u0007', '\u001b[31m', '\n', '\u007f', '\u009b', '\u202e', '\u2066', '\u2028'])
    t.truthy(validate(`a${character}b`), JSON.stringify(character));
});

test('a name can have 80 code points, in the API and in the command line', (t) => {
  for (const character of ['a', '\u{1f3e0}']) {
    const [longest, longer] = [character.repeat(80), character.repeat(81)];
    t.is(validate(longest), null);
    t.is(parseName(longest), longest);
    t.truthy(validate(longer));
    t.throws(() => parseName(longer));
  }
});

test('zero-width joiners inside the words of a name are accepted and preserved', (t) => {
  for (const name of ['می‌خواهم', 'عبد‍الله', '👩‍💻 Team', 'A', 'شركة أ', "O'Brien & Sons — 7"]) {
    t.is(validate(name), null, name);
    t.is(parseName(name), name);
  }
});
