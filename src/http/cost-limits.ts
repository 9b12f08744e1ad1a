import type { Admitted } from '#src/metering/charge-statement.ts';
import type { CostLimits, Quote } from './cost-parameters.ts';
import type { EndpointResponse } from './endpoint.ts';
import type { Fault } from './errors/api-error.ts';

/** Returns null if the call cannot cost more than it may. */
export function costFault({ maxUnits }: Quote, { max_units: most }: CostLimits): Fault | null {
  if (most === undefined || maxUnits <= most) return null;
  const message = () =>
    `\`max_units\` is ${most}, but this call can cost ${maxUnits} units. Raise \`max_units\` to ${maxUnits}, or request less.`;
  return { code: 'invalid_value', param: 'max_units', message };
}

export const MAX_UNITS_HEADER = 'X-Request-Max-Units';

/** The header is for HEAD. */
export function dryRunResponse({ maxUnits, rows }: Quote, left: Admitted): EndpointResponse {
  return {
    headers: { [MAX_UNITS_HEADER]: String(maxUnits) },
    body: {
      data: {
        max_units: maxUnits,
        rows: rows ?? null,
        units_remaining_this_minute: left.rate_remaining,
        units_remaining_this_month: left.quota_remaining,
        units_until_refused: left.units_until_refused ?? null,
        limited_by: left.limited_by ?? null,
      },
    },
  };
}
