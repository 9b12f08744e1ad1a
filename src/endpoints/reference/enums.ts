import { arrayOf, described, type JsonSchema, object, oneOf, single, string } from '#domain/json-schema.ts';
import { LISTING_CATEGORIES, PROPERTY_TYPE_TABLE, PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { NAMES_SCHEMA } from '#domain/named.ts';
import { dataResponse, defineEndpoint } from '#http/endpoint.ts';
import { filterRows } from '#queries/filters/table.ts';
import { REFERENCE } from './common.ts';
import { ENUM_NAMES } from './enum-names.ts';

const entries = <Name extends string, T>(names: readonly Name[], entry: (name: Name) => T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, entry(name)]));

const LISTS = Object.keys(ENUM_NAMES);
const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values });

const DESCRIPTION =
  'Returns the allowed values of every enumerated filter and field. `names` contains the Arabic and English name of each value under the same keys. `price_frequencies` lists the values of `price.as_posted.frequency`: `total` is a total sale price, and `per_sqm` a price per square meter. Source names are not translated. `webhook_filters` lists the filters that a webhook accepts: all filters except those whose matches change as time passes.';

export const enums = defineEndpoint({
  path: '/v1/enums',
  operationId: 'listEnums',
  ...REFERENCE,
  summary: 'List enums and their values',
  description: DESCRIPTION,
  response: single(
    object({
      ...entries(LISTS, (list) => ({
        ...described(arrayOf(string), 'Values of the enumeration.'),
        examples: [Object.keys(ENUM_NAMES[list] ?? {}).slice(0, 2)],
      })),
      sources: arrayOf(string),
      webhook_filters: arrayOf(string),
      names: object(entries(LISTS, () => NAMES_SCHEMA)),
      property_type_categories: mapOf(oneOf(LISTING_CATEGORIES)),
    }),
  ),
  handle: async ({ services }) =>
    dataResponse({
      ...Object.fromEntries(LISTS.map((list) => [list, Object.keys(ENUM_NAMES[list] ?? {})])),
      sources: services.sourceClock.allSources(),
      webhook_filters: filterRows().flatMap(({ name, changesWithTime }) => (changesWithTime ? [] : [name])),
      names: ENUM_NAMES,
      property_type_categories: Object.fromEntries(
        PROPERTY_TYPES.map((type) => [type, PROPERTY_TYPE_TABLE[type].category]),
      ),
    }),
});
