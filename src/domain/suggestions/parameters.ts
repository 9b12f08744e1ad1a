import { memoize } from '../memoize.ts';
import { MAX_COMPARED, nearestByEdits, singular } from './nearest.ts';

/** From other APIs and from response fields. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  beds: 'bedrooms bedroom br rooms bedroom_count num_beds number_of_bedrooms',
  bathrooms: 'baths bath toilets wc bathroom_count number_of_bathrooms',
  livings_min: 'livings living_rooms lounges halls',
  cursor:
    'page page_number page_no pagenum offset skip start next next_cursor after before starting_after page_token next_page pagination token_next',
  limit: 'per_page page_size page_limit page_length size count take max_results top rows first',
  sort: 'order order_by sort_by sorting ordering sort_order direction',
  q: 'query search search_text keyword keywords text term terms title description contains',
  city: 'location town city_id city_slug city_name city_ar city_en region cities',
  listing_type: 'type purpose transaction_type offer_type deal_type operation rent_or_sale ad_type',
  property_type: 'type category property_kind unit_type home_type building_type asset_type',
  listing_category: 'category property_category segment',
  neighborhood_id: 'neighborhood neighbourhood district district_id hood area_id neighborhood_name suburb hay',
  bbox: 'bounds box bounding_box viewport coordinates geo',
  near: 'lat lng lon latitude longitude point center around location coordinates geo',
  radius_m: 'radius radius_km radius_meters distance within',
  polygon: 'shape outline boundary geometry geojson poly',
  price_min: 'price price_from from_price lowest_price budget price_sar yearly_sar',
  price_max: 'price price_to to_price highest_price max_budget budget price_sar yearly_sar',
  area_min: 'area area_from sqm area_sqm square_meters sqft',
  area_max: 'area area_to sqm area_sqm square_meters sqft',
  max_age: 'age building_age age_max property_age year_built',
  amenities: 'amenity facilities feature features has with',
  features: 'amenities amenity facilities',
  rent_frequency: 'frequency rent_period payment_frequency rental_period price_frequency',
  advertiser: 'advertiser_id advertiser_ref company_id agency_id broker_id agent_id',
  direction_id: 'direction side quarter_of_city region',
  advertiser_type: 'seller_type poster_type agency broker',
  quality: 'flags quality_flags issues warnings',
  quality_exclude: 'without_flags exclude_flags no_flags quality_not',
  source: 'sources provider website portal platform',
  compound: 'compound_name',
  updated_since: 'updated_after updated_at updated modified_after last_modified changed_since date_from',
  days_on_market_max: 'days_on_market max_days_on_market posted_within',
  days_on_market_min: 'days_on_market min_days_on_market',
  modified_since: 'modified_after modified_at modified changed_since',
  verified: 'is_verified verified_only',
  furnished: 'is_furnished furnishing',
  months: 'period_months history window last',
  quarter_from: 'quarter period from start_quarter year',
  quarter_to: 'quarter period to end_quarter year',
  month_from: 'month from start_month date_from year quarter period quarter_from',
  month_to: 'month to end_month date_to year quarter period quarter_to',
  period: 'quarter quarter_from quarter_to year date',
  land_use_class: 'land_use class property_class property_type type category use',
  min_sample_size: 'sample_size min_sample minimum_sample',
  group_by: 'group groupby aggregate by dimension',
  item: 'items series index property_type category',
  kind: 'kinds type series index',
  property: 'property_type asset',
  status: 'state statuses project_status',
  developer_id: 'developer developer_name builder',
  project_id: 'project',
  delivery_from: 'delivery completion handover_from completion_from delivery_date',
  delivery_to: 'delivery completion handover_to completion_to delivery_date',
  banks: 'bank mortgage finance',
  ids: 'id listing_ids listing_id list',
  since: 'from start after date_from start_date from_date',
  until: 'to end before date_to end_date to_date',
  days: 'window last period range',
  route: 'path endpoint url',
  key_id: 'key api_key_id',
  dataset: 'data_set data table name type resource',
  format: 'file_format output type',
  filters: 'filter where query params criteria',
  url: 'endpoint callback callback_url webhook_url target uri address href',
  event_types: 'events event event_type types topics',
  name: 'label title',
  expires_at: 'expiry expires expiration expires_in expiration_date ttl',
  scopes: 'scope permissions apis',
};

const SAME_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bedroom: 'bed',
    bath: 'bathroom',
    minimum: 'min',
    from: 'min',
    least: 'min',
    gte: 'min',
    gt: 'min',
    maximum: 'max',
    to: 'max',
    most: 'max',
    lte: 'max',
    lt: 'max',
    size: 'area',
    neighbourhood: 'neighborhood',
    district: 'neighborhood',
    not: 'exclude',
    excluded: 'exclude',
    elevator: 'lift',
  }),
);
const EMPTY_WORDS = new Set(['filter', 'is']);

const PARTS = /[a-z]+|[\u0621-\u064a]+/g;

/** `camelCase`, `snake_case` or `a[b]`; each word in the singular. */
function wordsOf(name: string): string[] {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(PARTS);
  return (words ?? []).map(singular);
}

const joined = (words: readonly string[]): string => words.join('');
const meaning = (words: readonly string[]): string[] =>
  [...new Set(words.filter((word) => !EMPTY_WORDS.has(word)).map((word) => SAME_WORDS.get(word) ?? word))].toSorted();

const SHORTEST_PART = 3;
/** Shorter names resemble too many others. */
const SHORTEST_MISTYPED = 5;
/** If a name is part of more parameters, none is suggested. */
const MAX_OFFERED = 3;

const compile = memoize((name) => {
  const words = wordsOf(name);
  const [first = '', ...rest] = words;
  const others = (OTHER_NAMES[name]?.split(' ') ?? []).map((other) => joined(wordsOf(other)));
  const spellings = [
    joined(words),
    joined([...rest, first]),
    ...others.filter((other) => other.length >= SHORTEST_MISTYPED),
  ];
  return {
    name,
    text: joined(words),
    words: words.length,
    meaning: meaning(words),
    otherNames: others,
    spellings: spellings.map((text) => ({ value: name, text })),
  };
});

/** Most likely first: other names, words in any order, parts of names, typing errors. */
export function nearestParameters(given: string, names: readonly string[]): readonly string[] {
  if (given.length > MAX_COMPARED) return [];
  const words = wordsOf(given);
  const text = joined(words);
  if (text === '') return [];
  const known = names.map(compile);
  const same = known.find((each) => each.text === text);
  if (same) return [same.name];
  const called = known.filter((each) => each.otherNames.includes(text));
  if (called.length > 0) return offered(called);
  const own = meaning(words);
  const reordered = known.find((each) => joined(each.meaning) === joined(own));
  if (reordered) return [reordered.name];
  const longer = text.length < SHORTEST_PART ? [] : known.filter((each) => isWithin(own, each.meaning));
  if (longer.length > 0) return longer.length <= MAX_OFFERED ? offered(longer) : [];
  // `max_age` is not a misspelled `area_max`.
  const mistyped = VOCABULARY.has(text)
    ? null
    : nearestByEdits(
        text,
        known.flatMap((each) => each.spellings),
      );
  if (mistyped !== null) return [mistyped];
  const shorter = known.filter((each) => each.meaning.length * 2 >= own.length && isWithin(each.meaning, own));
  const most = Math.max(...shorter.map((each) => each.words));
  return offered(shorter.filter((each) => each.words === most));
}

const VOCABULARY: ReadonlySet<string> = new Set(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) =>
    [name, ...others.split(' ')].map((each) => joined(wordsOf(each))),
  ),
);

const offered = (known: readonly { name: string }[]): string[] => known.slice(0, MAX_OFFERED).map(({ name }) => name);

const isWithin = (words: readonly string[], all: readonly string[]): boolean =>
  words.length > 0 && words.every((word) => all.includes(word));
