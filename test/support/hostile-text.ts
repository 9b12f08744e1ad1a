import fc from 'fast-check';
import { codePoint } from './code-points.ts';

/**
 * Arbitrary texts that contain the markers of stored listings and characters that JSON escapes. In the content of a
 * listing they must have no effect.
 */
export const hostileText = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: codePoint, maxLength: 8 }) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          '"_id":"7"',
          '"_source":{"private":',
          ',"display":{"id":',
          ',"sort":[',
          '}},"sort":[1,2]',
          '}},"fields":{"digest":[7]},"sort":[1,2]',
          '{"_index":"',
          '"',
          '\\',
          '\\"',
          '\\\\"_source":{"private":{',
          ']},',
          '\u0000\u001f\n\r\t\b\f\u007f\u0080',
          '\u2028\u2029\ufeff\uffff',
          '😀👨‍👩‍👧',
          'شقّة فاخِرة',
          '</script>',
          '\\ud800',
          '\ud83d',
          '\ude00\ud83d',
        ),
      },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));
