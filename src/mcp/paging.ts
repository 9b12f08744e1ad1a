import type { JsonSchema } from '#domain/json-schema.ts';
import { cursorFingerprint } from '#http/cursor.ts';
import type { Endpoint, Parameter } from '#http/endpoint.ts';

/** Rows, if the price does not depend on them. A listing has up to 2,000 characters. */
const MAX_ROWS = 20;

/** Limits rows or ids to one step of the price, so that all rows fit a result. */
export function limitRows({ price }: Endpoint, { name, schema }: Parameter): JsonSchema {
  const [limited, most] = 'per' in price ? [price.parameter, price.per] : ['limit', MAX_ROWS];
  if (name !== limited) return schema;
  return schema.type === 'array' ? { ...schema, maxItems: most } : { ...schema, maximum: most };
}

/** The endpoint returns all rows, and the tool as many as fit, with its own cursor. */
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

export type Arguments = Readonly<Record<string, unknown>>;

/** For the same tool and arguments. Not signed, because a modified position gives no additional access. */
export const encodeOffset = (offset: number, tool: string, args: Arguments): string =>
  `${offset}.${cursorFingerprint('', `${tool} ${offset}`, args).toString('base64url')}`;

export function decodeOffset(cursor: unknown, tool: string, args: Arguments): number | null {
  const offset = Number.parseInt(String(cursor), 10);
  return cursor === encodeOffset(offset, tool, args) ? offset : null;
}
