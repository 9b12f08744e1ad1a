import { NAMES } from '#domain/listings/vocabulary.ts';
import { type NamesOf, namesIn } from '#domain/named.ts';
import { PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES, PROJECT_STATUS_NAMES } from '#domain/off-plan/vocabulary.ts';
import { RENT_PROPERTY_TYPES } from '#domain/official/vocabulary.ts';
import texts from './enum-names.json' with { type: 'json' };

type Lists = Readonly<Record<string, NamesOf<string>>>;

/**
 * Display names of all enumerated values, grouped by the lists in `GET /enums`. A test compares them with the OpenAPI
 * document.
 */
export const ENUM_NAMES: Lists = {
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
