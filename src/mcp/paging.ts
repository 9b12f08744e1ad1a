import type { JsonSchema } from '#domain/json-schema.ts';
import { cursorFingerprint } from '#http/cursor.ts';
import type { Endpoint } from '#http/endpoint.ts';

/** How rows are limited, so that no call is charged for rows that its result omits. */
export type Paging =
  /** The endpoint receives at most `most` as `limit`, or as many values in a list argument. */
  | { by: 'argument'; name: string; most: number }
  /** The endpoint returns all rows; the tool as many as fit, with its own cursor. */
  | { by: 'list' }
  /** The response has no rows, or the endpoint limits them itself. */
  | { by: 'endpoint' };

/** Maximum number of rows if the price does not depend on it. A listing has up to 2,000 characters. */
const MAX_ROWS = 20;

/**
 * Returns how rows are limited. If the price depends on their number, a call requests at most the rows of one price
 * step.
 */
export function pagingOf({ price, method, paged, parameters, response }: Endpoint): Paging {
  if ('per' in price) return { by: 'argument', name: price.parameter, most: price.per };
  if (parameters.some(({ name }) => name === 'limit')) return { by: 'argument', name: 'limit', most: MAX_ROWS };
  return method === 'GET' && !paged && hasRows(response) ? { by: 'list' } : { by: 'endpoint' };
}

function hasRows({ properties = {} }: JsonSchema): boolean {
  const { data } = properties as { data?: JsonSchema };
  return [data, ...Object.values((data?.properties ?? {}) as Record<string, JsonSchema>)].some(
    (schema) => schema?.type === 'array' && (schema.items as JsonSchema)?.type === 'object',
  );
}

export function describePaging(paging: Paging, { price }: Endpoint): string {
  if (paging.by === 'list')
    return ` Long lists are returned in pages${price.units > 0 ? ', each charged as a call' : ''}.`;
  if (paging.by === 'endpoint') return '';
  const { name, most } = paging;
  return name === 'limit'
    ? ` Returns at most ${most} rows per call.`
    : ` Uses the first ${most} values of \`${name}\`; \`left_out.${name}\` lists the remaining values for further calls.`;
}

/** Position in the longest list. */
export interface ListPosition {
  offset: number;
  total: number;
}

type Arguments = Readonly<Record<string, unknown>>;

const fingerprintOf = (tool: string, args: Arguments): string => cursorFingerprint('', tool, args).toString('hex');

/**
 * Encodes a cursor for the same tool and arguments. It is not signed, because a modified position gives no additional
 * access.
 */
export const encodePosition = ({ offset, total }: ListPosition, tool: string, args: Arguments): string =>
  Buffer.from(`${fingerprintOf(tool, args)} ${offset} ${total}`).toString('base64url');

export function decodePosition(cursor: unknown, tool: string, args: Arguments): ListPosition | null {
  const text = Buffer.from(String(cursor), 'base64url').toString();
  const [, fingerprint, offset, total] = /^(\w+) (\d{1,9}) (\d{1,9})$/.exec(text) ?? [];
  const position = { offset: Number(offset), total: Number(total) };
  return fingerprint === fingerprintOf(tool, args) && position.offset < position.total ? position : null;
}
