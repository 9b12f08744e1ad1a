import { NEIGHBORHOODS_BY_ID } from '#domain/geography/gazetteer.ts';
import { arrayOf, described, integer, nullable, object, oneOf, single, string } from '#domain/json-schema.ts';
import { NOT_UNDERSTOOD_REASONS } from '#domain/sentence/interpretation.ts';
import { type ParsedSentence, parseSentence } from '#domain/sentence/parse.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { LISTINGS } from './parameters.ts';

/** `GET /listings` requires them. */
const REQUIRED = ['city', 'listing_type'] as const;

/** Neighborhoods offered for a misspelled name, and characters of the name that are compared. */
const MOST_SIMILAR = 3;
const MOST_CHARACTERS = 100;

const words = {
  words: described(string, 'The words as written in `q`.'),
  start: described(integer, 'Position of the first character in `q`, in `UTF-16` code units.'),
  end: described(integer, 'Position after the last character.'),
};

export const parseListings = defineEndpoint({
  path: '/v1/listings/parse',
  operationId: 'parseListings',
  ...LISTINGS,
  summary: 'Parse a search sentence',
  description:
    'Converts a sentence in Arabic, English or both to the filters of `GET /v1/listings`. The sentence is parsed with word lists and rules, without a language model. Words without a corresponding filter are listed in `not_understood`. An amount without a comparison is the maximum price, monthly and nightly amounts are converted to yearly ones, and rooms count as bedrooms. Places that the operator has configured set `near` or `near_any`.',
  price: PRICES.parse,
  parameters: [
    {
      name: 'q',
      schema: { type: 'string', minLength: 1, maxLength: 500 },
      description: 'Search sentence.',
      required: true,
      example: 'شقة ثلاث غرف في الياسمين أقل من ستين ألف بالسنة',
    },
  ],
  response: single(
    object({
      filters: described(
        { type: 'object', additionalProperties: { type: 'string' } },
        'Values by parameter, as `GET /v1/listings` accepts them.',
      ),
      sort: nullable(described(string, 'Value of `sort`, or null if the sentence states no order.')),
      near_place: described(
        nullable(object({ name_en: nullable(string), name_ar: nullable(string) })),
        'Names of the place that `near` is the center of, or of the kind of places whose points `near_any` contains. Null without these filters. `radius_m` is then the stated distance, 80 m for each minute of walking, or 500 m for each minute by car or without a means. Without a distance, it is 1000 m or the radius of the place, and 2000 m around a neighborhood.',
      ),
      understood: arrayOf(object({ parameter: string, value: string, ...words })),
      not_understood: arrayOf(
        object({
          ...words,
          reason: oneOf(NOT_UNDERSTOOD_REASONS),
        }),
      ),
      alternatives: described(
        arrayOf(object({ city: string, neighborhood_id: integer, name_en: string, name_ar: string, ...words })),
        'Neighborhoods that an ambiguous or misspelled name may refer to. `city` and `neighborhood_id` are set only if at least 90% of the listings with this name are in one city.',
      ),
      missing: described(arrayOf(string), 'Required parameters that the sentence does not state.'),
      search_url: nullable(described(string, 'URL of the search, or null if a required parameter is missing.')),
    }),
  ),
  handle: async ({ query, services }) => {
    const index = await services.suggestions.read();
    const { entries } = index;
    const displayOf = (id: number) =>
      entries.find(({ kind, display }) => kind === 'neighborhood' && display.id === id)?.display;
    const parsed = parseSentence(query.q, {
      year: new Date(services.clock.now()).getUTCFullYear(),
      listingsOf: (id) => displayOf(id)?.listing_count ?? 0,
      centerOf: (id) => displayOf(id)?.center ?? null,
      similarTo: (q, city) =>
        index
          .suggest({ q: q.slice(0, MOST_CHARACTERS), city: city ?? undefined, limit: MOST_SIMILAR })
          .flatMap(({ kind, display }) => (kind === 'neighborhood' && NEIGHBORHOODS_BY_ID.get(display.id ?? 0)) || []),
      pointsOfInterest: services.config.pointsOfInterest,
    });
    const notUnderstood = parsed.not_understood.map(({ words: each }) => each);
    if (services.startup.isWarm)
      services.queryLog.add({ kind: 'sentence', text: query.q, results: parsed.understood.length, notUnderstood });
    const missing = REQUIRED.filter((name) => parsed.filters[name] === undefined);
    const search_url = missing.length > 0 ? null : searchUrl(services.config.baseUrl, parsed);
    return dataResponse({ ...parsed, missing, search_url });
  },
});

function searchUrl(baseUrl: string, { filters, sort }: ParsedSentence): string {
  return `${baseUrl}/listings?${new URLSearchParams({ ...filters, ...(sort === null ? {} : { sort }) })}`;
}
