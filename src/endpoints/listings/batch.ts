import { arrayOf, integer, object } from '#domain/json-schema.ts';
import { LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { listBytes } from '#http/pagination.ts';
import { PRICES } from '#metering/prices.ts';
import { listingsById } from './by-ids.ts';
import { answerOf } from './presentation.ts';

const MAX_IDS = 100;

export const batchListings = defineEndpoint({
  method: 'GET',
  path: '/v1/listings/batch',
  operationId: 'batchListings',
  load: 'light',
  area: 'Listings',
  summary: 'Several listings by id',
  description:
    'Up to 100 listings in the order asked for; `missing_ids` names those that are not live. Implausible listings, which search leaves out, are returned.',
  audience: 'data',
  scope: 'listings',
  price: PRICES.batch,
  pathParameters: [],
  parameters: [
    {
      name: 'ids',
      schema: {
        type: 'array',
        items: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        minItems: 1,
        maxItems: MAX_IDS,
      },
      description: 'Listing ids. One that is given twice is answered once.',
      required: true,
      example: '1,2,3',
    },
  ],
  response: object({ data: arrayOf(LISTING_SCHEMA), missing_ids: arrayOf(integer) }),
  errors: [],
  handle: async (call) => {
    const ids = [...new Set(call.query.ids)];
    const { found, page } = await listingsById(call, ids);
    return answerOf(page, () => {
      const rows = ids.flatMap((id) => found.get(id) ?? []).map(({ json }) => json);
      return listBytes(rows, { missing_ids: ids.filter((id) => !found.has(id)) });
    });
  },
});
