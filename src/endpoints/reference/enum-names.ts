import type { Actor, AuditAction } from '#accounts/audit.ts';
import type { KeyRecord } from '#accounts/key-store.ts';
import type { KeyKind } from '#accounts/keys.ts';
import type { Role } from '#accounts/roles.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { Coverage } from '#domain/coverage.ts';
import type { ErrorType } from '#domain/errors.ts';
import type { EventType } from '#domain/listings/events.ts';
import { NAMES } from '#domain/listings/vocabulary.ts';
import { type NamesOf, named } from '#domain/named.ts';
import { PROJECT_BANK_NAMES, PROJECT_FEATURE_NAMES, PROJECT_STATUS_NAMES } from '#domain/off-plan/vocabulary.ts';
import type { CoverageFlag } from '#domain/official/rules.ts';
import {
  type IndexItem,
  type LandUseClass,
  RENT_PROPERTY_TYPES,
  type RentPropertyType,
} from '#domain/official/vocabulary.ts';
import type { FREQUENCIES, INDEX_PROPERTIES, IndexSource, Kind, METHODS } from '#domain/property-index/kinds.ts';
import type { NoSeriesReason, SCOPES, WithheldReason } from '#domain/property-index/schema.ts';
import type { directionOf, placementOf, Status } from '#domain/statistics/price-band.ts';
import type { SuggestionKind } from '#domain/suggestions/place-index.ts';
import type { Format } from '#exports/files.ts';
import type { ExportStatus } from '#exports/store.ts';
import type { ResultClass } from '#observability/request-log.ts';
import type { TrendBasis } from '#queries/analytics/trends.ts';
import type { SortName } from '#queries/listings/sorts.ts';
import type { ProjectSortName } from '#queries/off-plan/projects.ts';
import type { DeliveryStatus } from '#webhooks/deliveries.ts';
import type { EndpointRecord } from '#webhooks/endpoints.ts';
import type { CellGroup } from '../official/market-transactions.ts';
import texts from './enum-names.json' with { type: 'json' };

/** Types of enumerations. The file has a name for each of their values, and for no others. */
interface Enumerations {
  sorts: SortName;
  trend_bases: TrendBasis;
  land_use_classes: LandUseClass;
  price_index_items: IndexItem;
  coverage_flags: CoverageFlag;
  property_index_kinds: Kind;
  property_index_properties: (typeof INDEX_PROPERTIES)[number];
  property_index_scopes: (typeof SCOPES)[number];
  property_index_frequencies: (typeof FREQUENCIES)[number];
  property_index_methods: (typeof METHODS)[number];
  property_index_withheld_reasons: WithheldReason;
  property_index_no_series_reasons: NoSeriesReason;
  transaction_groups: CellGroup;
  project_sorts: ProjectSortName;
  suggestion_kinds: SuggestionKind;
  price_band_statuses: Status;
  price_band_placements: ReturnType<typeof placementOf>;
  price_band_directions: ReturnType<typeof directionOf>;
  trend_coverages: Coverage;
  property_index_sources: IndexSource;
  key_kinds: KeyKind;
  key_statuses: KeyRecord['status'];
  apis: Scope;
  member_roles: Role;
  audit_actors: Actor['type'];
  audit_actions: AuditAction;
  usage_results: ResultClass;
  error_types: ErrorType;
  export_formats: Format;
  export_statuses: ExportStatus;
  webhook_events: EventType;
  webhook_statuses: EndpointRecord['status'];
  webhook_disabled_reasons: NonNullable<EndpointRecord['disabled_reason']>;
  delivery_statuses: DeliveryStatus;
}

type Lists = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
type Exact<Given> = {
  [List in keyof Given]: List extends keyof Enumerations
    ? Readonly<Record<Enumerations[List], readonly string[]>> & {
        [Value in Exclude<keyof Given[List], Enumerations[List]>]: never;
      }
    : Given[List];
};

/** Returns the names of each value: an English and an Arabic text. */
const namesIn = <Given extends Lists>(lists: Given & Exact<Given>) =>
  Object.fromEntries(
    Object.entries<Lists[string]>(lists).map(([list, values]) => [
      list,
      Object.fromEntries(Object.entries(values).map(([value, [en = '', ar = '']]) => [value, named(en, ar)])),
    ]),
  ) as { readonly [List in keyof Given]: NamesOf<keyof Given[List] & string> };

/** Display names in both languages for all enumerated values, grouped by the lists in `GET /enums`. */
export const ENUM_NAMES = {
  ...NAMES,
  ...namesIn(texts.searches),
  registered_rent_property_types: Object.fromEntries(
    RENT_PROPERTY_TYPES.map((type) => [type, NAMES.property_types[type]]),
  ) as NamesOf<RentPropertyType>,
  ...namesIn(texts.official_data),
  project_statuses: PROJECT_STATUS_NAMES,
  project_features: PROJECT_FEATURE_NAMES,
  project_banks: PROJECT_BANK_NAMES,
  ...namesIn(texts.projects),
  ...namesIn(texts.statistics),
  ...namesIn(texts.administration),
} as const satisfies Readonly<Record<string, NamesOf<string>>>;
