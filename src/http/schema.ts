import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { longestLength } from '#domain/fold.ts';
import { POINTS, parsePolygon } from '#domain/geography/shapes.ts';
import type { JsonSchema } from '#domain/json-schema.ts';
import { isVisibleText } from '#domain/text/visible.ts';
import { startOfDay } from '#domain/timestamps.ts';
import { countWords, MAX_WORDS, parseSearchText } from '#queries/text/search-text.ts';

const TIMESTAMP = /^(\d{4})-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Others are assumed to be mistakes. */
const YEARS = { first: 1900, last: 9999 };

/**
 * An ISO 8601 date-time with seconds, a time zone and an existing date, whose year is accepted in its time zone and in
 * UTC.
 */
export function isTimestamp(text: string): boolean {
  const year = Number(TIMESTAMP.exec(text)?.[1]);
  if (!(year >= YEARS.first) || Number.isNaN(startOfDay(text.slice(0, 10)))) return false;
  const utcYear = new Date(text).getUTCFullYear();
  return utcYear >= YEARS.first && utcYear <= YEARS.last;
}

/** The metaschema would take 0.1 s to compile at every start; a test of the OpenAPI document validates against it. */
function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({ allErrors, strict: false, verbose: true, validateSchema: false });
  for (const format of ['timestamp', 'timestamp-micros', 'date-time']) ajv.addFormat(format, isTimestamp);
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  /**
   * Lengths are limited as written and folded. `maxCharacters` is for request texts whose limit the released contract does
   * not state.
   */
  ajv.removeKeyword('maxLength');
  for (const keyword of ['maxLength', 'maxCharacters'])
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      validate: (max: number, text: string) => longestLength(text, max) <= max,
    });
  ajv.addKeyword({
    keyword: 'orderedBox',
    type: 'array',
    validate: (_: unknown, [minLng, minLat, maxLng, maxLat]: number[]) =>
      Number(minLng) <= Number(maxLng) && Number(minLat) <= Number(maxLat),
  });
  ajv.addKeyword({
    keyword: 'points',
    type: 'string',
    validate: (_: unknown, text: string) => POINTS.test(text),
  });
  ajv.addKeyword({
    keyword: 'polygon',
    type: 'string',
    validate: (_: unknown, text: string) => parsePolygon(text) !== null,
  });
  ajv.addKeyword({
    keyword: 'searchText',
    type: 'string',
    validate: (_: unknown, text: string) => {
      const words = countWords(parseSearchText(text));
      return words > 0 && words <= MAX_WORDS;
    },
  });
  ajv.addKeyword({
    keyword: 'visibleText',
    type: 'string',
    validate: (_: unknown, text: string) => isVisibleText(text),
  });
  // Keywords of error messages, which validation ignores.
  for (const keyword of ['point', 'accepts', 'sensitive']) ajv.addKeyword(keyword);
  return ajv;
}

const all = createAjv(true);
const first = createAjv(false);

/** Null if the value is valid. */
export type Validate = (value: unknown) => readonly ErrorObject[] | null;

/** Compiled on first use, because a process needs only a few of several hundred schemas soon after its start. */
export function createValidator(schema: JsonSchema): Validate {
  return validatorOf(all, schema);
}

/** Stops at the first error, so that its time does not depend on the number of errors. */
export function createCheck(schema: JsonSchema): Validate {
  return validatorOf(first, schema);
}

function validatorOf(ajv: Ajv2020, schema: JsonSchema): Validate {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? null : (validate.errors ?? []);
  };
}

export type { ErrorObject };
