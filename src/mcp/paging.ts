import type { JsonSchema } from '#domain/json-schema.ts';
import { cursorFingerprint } from '#http/cursor.ts';
import type { Endpoint, Parameter } from '#http/endpoint.ts';

/** Maximum number of rows if the price does not depend on it. A listing has up to 2,000 characters. */
const MAX_ROWS = 20;

/** Limits the argument for the number of rows, or the ids, to one step of the price, so that all rows fit a result. */
export function limitRows({ price }: Endpoint, { name, schema }: Parameter): JsonSchema {
  const [limited, most] = 'per' in price ? [price.parameter, price.per] : ['limit', MAX_ROWS];
  if (name !== limited) return schema;
  return schema.type === 'array' ? { ...schema, maxItems: most } : { ...schema, maximum: most };
}

/** Whether the endpoint returns all rows, of which the tool returns as many as fit, with a cursor of its own. */
export const isPagedHere = ({ price, method, paged, parameters, response }: Endpoint): boolean =>
  method === 'GET' &&
  !paged &&
  !('per' in price) &&
  !parameters.some(({ name }) => name === 'limit') &&
  hasRows(response);

function hasRows({ properties = {} }: JsonSchema): boolean {
  const { data } = properties as { data?: JsonSchema };
  return [data, ...Object.values((data?.properties ?? {}) as Record<string, JsonSchema>)].some(
    (schema) => schema?.type === 'array' && (schema.items as JsonSchema)?.type === 'object',
  );
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
