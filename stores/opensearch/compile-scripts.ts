import { compareBody, rentalYieldBody } from '#queries/analytics/cohorts.ts';
import { TREND_BASES, trendsBody } from '#queries/analytics/trends.ts';
import { hourOf } from '#queries/market/cohort.ts';
import { valuesBody } from '#queries/market/collected.ts';
import { AREA, distributionBody, neighborhoodsBody, priceMeasure, summaryBody } from '#queries/market/statistics.ts';
import { unitSummaryBody } from '#queries/off-plan/search.ts';
import { ADMIN_REQUEST, type OpenSearch } from './opensearch-client.ts';

/** Filters that match no listing, because no city has this slug. */
const NOWHERE = { city: '-', listing_type: 'rent' };

/** Compiles the scripts that collect values, which can take seconds, before a request needs them. */
export async function compileScripts(client: OpenSearch): Promise<void> {
  const { listings, history } = client.aliases;
  const hour = hourOf(0);
  const bodies = [neighborhoodsBody, rentalYieldBody, compareBody, summaryBody].map((body) => body(NOWHERE, hour));
  const distributions = [AREA, priceMeasure('rent')].map((measure) => distributionBody(measure, NOWHERE, hour));
  const trends = TREND_BASES.map((basis) => trendsBody({ filters: NOWHERE, basis, firstMonth: 0, lastMonth: 0 }));
  const bulkBody = [
    ...[...bodies, ...distributions, unitSummaryBody(0)].flatMap((body) => [
      { index: listings },
      valuesBody(body) ?? {},
    ]),
    ...trends.flatMap((body) => [{ index: history }, valuesBody(body) ?? {}]),
  ];
  await client.send('POST', '/_msearch', { bulkBody, ...ADMIN_REQUEST });
}
