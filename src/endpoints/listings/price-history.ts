import { amount, arrayOf, integer, nullable, number, object, single, timestamp } from '#domain/json-schema.ts';
import { GONE_HISTORY_DAYS } from '#domain/listings/changes.ts';
import { timestamp as formatTimestamp } from '#domain/listings/present.ts';
import { difference } from '#domain/statistics/figures.ts';
import { dataResponse, defineEndpoint } from '#src/http/endpoint.ts';
import { PRICES } from '#src/metering/prices.ts';
import { readPriceHistory } from '#stores/postgres/price-history.ts';
import { notFound } from './gone.ts';
import { LISTINGS, listingIdParameter } from './parameters.ts';

export const getPriceHistory = defineEndpoint({
  path: '/v1/listings/{id}/price-history',
  operationId: 'getPriceHistory',
  queue: 'searches',
  ...LISTINGS,
  summary: 'Get the price history of a listing',
  description: `Returns the first price with which search returned a live listing and every change, oldest first. Prices that search excludes as implausible are left out. The Free plan returns the last 90 days (\`history_window_days\`); paid plans return the complete history, with \`history_window_days\` null. The history of a listing that is gone remains for ${GONE_HISTORY_DAYS} days, unless it was taken down.`,
  price: PRICES.listing,
  pathParameters: [listingIdParameter],
  response: single(
    object({
      listing_id: integer,
      history_window_days: nullable(integer),
      prices: arrayOf(
        object({
          at: timestamp,
          price_yearly_sar: nullable(amount),
          previous_price_yearly_sar: nullable(amount),
          change_pct: nullable(number),
        }),
      ),
    }),
  ),
  errors: ['listing_not_found'],
  load: async (call) => {
    const { path, services, now } = call;
    const goneSince = new Date(now - GONE_HISTORY_DAYS * 86_400_000);
    const history = await readPriceHistory(services.pool, path.id, goneSince);
    if (!history) throw await notFound(call, path.id);
    return history;
  },
  present: ({ path, caller, now }, history) => {
    const days = caller.price_history_days;
    const since = days === null ? 0 : now / 1000 - days * 86_400;
    return dataResponse({
      listing_id: path.id,
      history_window_days: days,
      prices: history
        .filter(({ at }) => at >= since)
        .map(({ at, price, previous }) => ({
          at: formatTimestamp(at),
          price_yearly_sar: price,
          previous_price_yearly_sar: previous,
          change_pct: difference(price, previous),
        })),
    });
  },
});
