import type { JsonSchema } from '#domain/json-schema.ts';
import type { Endpoint } from '#http/endpoint.ts';

/** Limit on the rows in a response. With this limit, calls are not charged for rows that their results omit. */
export type Paging =
  /** The endpoint receives at most `most` rows as `limit`, or at most `most` values in a list argument. */
  | { by: 'argument'; name: string; most: number }
  /** The endpoint returns the complete list; the tool returns as many rows as fit, with its own cursor. */
  | { by: 'list' }
  /** The response has no rows, or the endpoint limits their number itself. */
  | { by: 'endpoint' };

/**
 * Maximum number of rows for an endpoint whose price does not depend on the number of rows. A row with a listing has up
 * to 2,000 characters.
 */
const MAX_ROWS = 20;

/**
 * Returns how an endpoint's rows are limited. If the price depends on the number of rows, a call requests at most the
 * rows that one price step covers. Pure.
 */
export function pagingOf({ price, method, paged, parameters, response }: Endpoint): Paging {
  if ('per' in price) return { by: 'argument', name: price.parameter, most: price.per };
  if (parameters.some(({ name }) => name === 'limit')) return { by: 'argument', name: 'limit', most: MAX_ROWS };
  return method === 'GET' && !paged && hasRows(response) ? { by: 'list' } : { by: 'endpoint' };
}

export function describePaging(paging: Paging, { price }: Endpoint): readonly string[] {
  if (paging.by === 'list')
    return [`Long lists are returned in pages${price.units > 0 ? ', each charged as a call' : ''}.`];
  if (paging.by === 'endpoint') return [];
  const { name, most } = paging;
  return name === 'limit'
    ? [`Returns at most ${most} rows per call.`]
    : [
        `Uses the first ${most} values of \`${name}\`; \`left_out.${name}\` lists the remaining values for further calls.`,
      ];
}

function hasRows({ properties = {} }: JsonSchema): boolean {
  const { data } = properties as { data?: JsonSchema };
  const fields = Object.values((data?.properties ?? {}) as Record<string, JsonSchema>);
  return [data, ...fields].some(
    (schema) => schema?.type === 'array' && (schema.items as JsonSchema)?.type === 'object',
  );
}
