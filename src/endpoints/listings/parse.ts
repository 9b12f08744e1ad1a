import { arrayOf, described, integer, nullable, object, single, string } from '#domain/json-schema.ts';
import { type ParsedSentence, parseSentence } from '#domain/sentence/parse.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';

/** Filters without which `GET /listings` refuses a search. */
const REQUIRED = ['city', 'listing_type'] as const;

const words = {
  words: described(string, 'The words as written in `q`.'),
  start: described(integer, 'Position of the first character in `q`, in `UTF-16` code units.'),
  end: described(integer, 'Position after the last character.'),
};

export const parseListings = defineEndpoint({
  method: 'GET',
  path: '/v1/listings/parse',
  operationId: 'parseListings',
  area: 'Listings',
  summary: 'Parse a search sentence',
  description:
    'Returns the filters of `GET /v1/listings` that a sentence in Arabic, English or both states. The sentence is read by word lists and rules, without a language model: words that no filter expresses are listed in `not_understood`. An amount without a comparison is the maximum price, amounts per month or night are converted to a year, and rooms are bedrooms.',
  audience: 'data',
  scope: 'listings',
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
      understood: arrayOf(object({ parameter: string, value: string, ...words })),
      not_understood: arrayOf(object(words)),
      alternatives: described(
        arrayOf(object({ city: string, neighborhood_id: integer, name_en: string, name_ar: string, ...words })),
        'Neighborhoods that a name may mean. Unless nine tenths of the listings under the name are in one city, neither `city` nor `neighborhood_id` is set.',
      ),
      missing: described(arrayOf(string), 'Required parameters that the sentence does not state.'),
      search_url: nullable(described(string, 'URL of the search, or null if a required parameter is missing.')),
    }),
  ),
  handle: async ({ query, services }) => {
    const counts = await services.neighborhoodCounts.read();
    const parsed = parseSentence(query.q, {
      listingsOf: (id) => counts.get(id)?.count ?? 0,
      centerOf: (id) => counts.get(id)?.center ?? null,
    });
    const missing = REQUIRED.filter((name) => parsed.filters[name] === undefined);
    const search_url = missing.length > 0 ? null : searchUrl(services.config.baseUrl, parsed);
    return { body: { data: { ...parsed, missing, search_url } } };
  },
});

function searchUrl(baseUrl: string, { filters, sort }: ParsedSentence): string {
  return `${baseUrl}/listings?${new URLSearchParams({ ...filters, ...(sort === null ? {} : { sort }) })}`;
}
