import type { JsonSchema } from '#domain/json-schema.ts';
import type { Endpoint } from '#http/endpoint.ts';

/** Limits of the rows of a response, so that a call is not charged for rows that it does not show. */
export type Paging =
  /** The endpoint receives a `limit` of at most `most`. */
  | { by: 'limit'; most: number }
  /** The endpoint receives at most `most` values of a list argument. */
  | { by: 'argument'; name: string; most: number }
  /** The endpoint returns the complete list; the tool returns the rows that fit and its own cursor. */
  | { by: 'list' }
  /** The response has no rows, or the endpoint limits them. */
  | { by: 'endpoint' };

/**
 * Maximum rows of a response whose price does not depend on their number. A row with a listing has up to 2,000 characters.
 */
const MAX_ROWS = 20;

/** Returns the paging of an endpoint. If the price depends on the number of rows, a call requests one step of the price. Pure. */
export function pagingOf({ price, method, paged, parameters, response }: Endpoint): Paging {
  if ('per' in price && price.parameter !== 'limit') return { by: 'argument', name: price.parameter, most: price.per };
  if (parameters.some(({ name }) => name === 'limit'))
    return { by: 'limit', most: 'per' in price ? price.per : MAX_ROWS };
  return method === 'GET' && !paged && hasRows(response) ? { by: 'list' } : { by: 'endpoint' };
}

/** Describes the paging in the description of the tool. Pure. */
export function describePaging(paging: Paging, { price }: Endpoint): readonly string[] {
  switch (paging.by) {
    case 'limit':
      return [`Returns at most ${paging.most} rows per call.`];
    case 'argument':
      return [
        `Uses the first ${paging.most} values of \`${paging.name}\`; \`left_out.${paging.name}\` lists the remaining values for further calls.`,
      ];
    case 'list':
      return [`Long lists are returned in pages${price.units > 0 ? ', each charged as a call' : ''}.`];
    case 'endpoint':
      return [];
  }
}

/** Returns whether a response has a list of objects: its data, or a field of its data. */
function hasRows({ properties = {} }: JsonSchema): boolean {
  const { data } = properties as { data?: JsonSchema };
  const fields = Object.values((data?.properties ?? {}) as Record<string, JsonSchema>);
  return [data, ...fields].some(
    (schema) => schema?.type === 'array' && (schema.items as JsonSchema)?.type === 'object',
  );
}
