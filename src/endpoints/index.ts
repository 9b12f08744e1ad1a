import type { Endpoint } from '#src/http/endpoint.ts';
import { CHANGELOG, deprecate } from '#src/openapi/changelog.ts';
import { askingVsRegistered } from './analytics/asking-vs-registered.ts';
import { comparables } from './analytics/comparables.ts';
import { compareNeighborhoods } from './analytics/compare.ts';
import { marketDeals } from './analytics/deals.ts';
import { listingEstimate, marketEstimate } from './analytics/estimate.ts';
import { estimateAccuracy } from './analytics/estimate-accuracy.ts';
import { marketEstimates } from './analytics/estimates.ts';
import { marketPosition } from './analytics/market-position.ts';
import { priceBand } from './analytics/price-band.ts';
import { rentalYield } from './analytics/rental-yield.ts';
import { marketTrends } from './analytics/trends.ts';
import {
  cancelExportEndpoint,
  createExport,
  getExport,
  getOrganizationExport,
  listExportsEndpoint,
  listOrganizationExports,
} from './exports/exports.ts';
import { batchListings, getListing } from './listings/by-id.ts';
import { listChanges } from './listings/changes.ts';
import { countListings, listFacets, mapListings } from './listings/counts.ts';
import { parseListings } from './listings/parse.ts';
import { getPriceHistory } from './listings/price-history.ts';
import { searchListings } from './listings/search.ts';
import { marketEndpoints } from './market/statistics.ts';
import {
  getProject,
  listDevelopers,
  listProjectUnits,
  searchProjects,
  searchProjectUnits,
} from './off-plan/off-plan.ts';
import { landPrices } from './official/land-prices.ts';
import { marketTransactions } from './official/market-transactions.ts';
import { marketIndex } from './official/price-index.ts';
import { propertyIndex } from './official/property-index.ts';
import { registeredRents } from './official/registered-rents.ts';
import { listTransactions } from './official/transactions.ts';
import { accountEndpoints } from './organization/account.ts';
import { keyEndpoints } from './organization/keys.ts';
import { memberEndpoints } from './organization/members.ts';
import { listAuditEventsEndpoint, organizationEndpoints, usageEndpoints } from './organization/organization.ts';
import { projectEndpoints } from './organization/projects.ts';
import { listRequestLogsEndpoint } from './organization/request-logs.ts';
import { deliveryEndpoints } from './organization/webhook-deliveries.ts';
import { webhookEndpoints } from './organization/webhooks.ts';
import { boundaries } from './reference/boundaries.ts';
import { enums } from './reference/enums.ts';
import { limits } from './reference/limits.ts';
import { cities, directions, neighborhoods } from './reference/places.ts';
import { suggest } from './reference/suggest.ts';
import { healthz, openApiEndpoint, readyz } from './service/service.ts';

/** In documentation order. Only these are served, documented and tested. */
export const endpoints: readonly Endpoint[] = deprecate(
  [
    cities,
    neighborhoods,
    directions,
    boundaries,
    enums,
    limits,
    suggest,
    searchListings,
    countListings,
    parseListings,
    listFacets,
    mapListings,
    listChanges,
    batchListings,
    getListing,
    getPriceHistory,
    ...marketEndpoints,
    askingVsRegistered,
    priceBand,
    marketPosition,
    comparables,
    listingEstimate,
    marketEstimate,
    marketEstimates,
    estimateAccuracy,
    rentalYield,
    compareNeighborhoods,
    marketTrends,
    marketDeals,
    searchProjects,
    getProject,
    listProjectUnits,
    searchProjectUnits,
    listDevelopers,
    listTransactions,
    marketTransactions,
    landPrices,
    registeredRents,
    marketIndex,
    propertyIndex,
    createExport,
    listExportsEndpoint,
    getExport,
    ...organizationEndpoints,
    ...keyEndpoints,
    ...projectEndpoints,
    ...usageEndpoints,
    ...accountEndpoints,
    ...memberEndpoints,
    listAuditEventsEndpoint,
    listRequestLogsEndpoint(() => endpoints),
    ...webhookEndpoints,
    ...deliveryEndpoints,
    listOrganizationExports,
    getOrganizationExport,
    cancelExportEndpoint,
    openApiEndpoint(() => endpoints),
    healthz,
    readyz,
  ],
  CHANGELOG,
);
