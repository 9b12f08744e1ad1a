import { arrayOf, described, type JsonSchema, object, oneOf, single, string } from '#domain/json-schema.ts';
import { LISTING_CATEGORIES, NAMES, PROPERTY_TYPE_TABLE, PROPERTY_TYPES } from '#domain/listing-vocabulary.ts';
import { NAMES_SCHEMA, type NamesOf, namesIn } from '#domain/named.ts';
import {
  PROJECT_BANK_NAMES,
  PROJECT_FEATURE_NAMES,
  PROJECT_STATUS_NAMES,
} from '#domain/off-plan/project-vocabulary.ts';
import { RENT_PROPERTY_TYPES } from '#domain/official/official-vocabulary.ts';
import { filterRows } from '#queries/filters/table.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { REFERENCE } from './common.ts';
import texts from './enum-names.json' with { type: 'json' };

type Lists = Readonly<Record<string, NamesOf<string>>>;

/** Display names by the lists in `GET /enums`. A test compares them with the OpenAPI document. */
const ENUM_NAMES: Lists = {
  ...NAMES,
  ...namesIn(texts.searches),
  registered_rent_property_types: Object.fromEntries(
    RENT_PROPERTY_TYPES.map((type) => [type, NAMES.property_types[type]]),
  ),
  ...namesIn(texts.official_data),
  project_statuses: PROJECT_STATUS_NAMES,
  project_features: PROJECT_FEATURE_NAMES,
  project_banks: PROJECT_BANK_NAMES,
  ...namesIn(texts.projects),
  ...namesIn(texts.statistics),
  ...namesIn(texts.administration),
};

const entries = <Name extends string, T>(names: readonly Name[], entry: (name: Name) => T): Record<string, T> =>
  Object.fromEntries(names.map((name) => [name, entry(name)]));

const LISTS = Object.keys(ENUM_NAMES);
const mapOf = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values });

export const enums = defineEndpoint({
  path: '/v1/enums',
  operationId: 'listEnums',
  ...REFERENCE,
  summary: 'List enums and their values',
  description:
    'Returns the allowed values of every enumerated filter and field. `names` contains the Arabic and English name of each value under the same keys. `price_frequencies` lists the values of `price.as_posted.frequency`: `total` is a total sale price, and `per_sqm` a price per square meter. Source names are not translated. `webhook_filters` lists the filters that a webhook accepts: all filters except those whose matches change as time passes.',
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
