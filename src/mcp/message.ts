import type { JsonSchema } from '#domain/json-schema.ts';
import { parseJson } from '#domain/parse-json.ts';
import { compileBodyCheck } from '#src/http/body/check.ts';
import type { Fault } from '#src/http/errors/api-error.ts';
import { explainRefused } from '#src/http/errors/refused-value.ts';

const string: JsonSchema = { type: 'string' };
const fields = (properties: Readonly<Record<string, JsonSchema>>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

/** JSON-RPC 2.0. A request has a method and an id, a notification only a method, and a response neither method nor params. */
export const MESSAGE = fields(
  {
    jsonrpc: { type: 'string', enum: ['2.0'] },
    id: { type: ['string', 'integer'], accepts: 'a string or an integer' },
    method: string,
  },
  ['jsonrpc'],
);

/** The methods of this server, with what the protocol requires of their parameters. */
const METHODS: Readonly<Record<string, JsonSchema>> = {
  initialize: fields({
    protocolVersion: string,
    capabilities: fields({}),
    clientInfo: fields({ name: string, version: string }),
  }),
  ping: fields({}),
  'tools/list': fields({ cursor: string }, []),
  'tools/call': fields({ name: string, arguments: fields({}) }, ['name']),
  'server/discover': fields({}),
};

const CHECKS = new Map(
  Object.entries(METHODS).map(([method, params]) => {
    const withMeta = { ...params, properties: { ...(params.properties as object), _meta: fields({}) } };
    const isOptional = (params.required as readonly string[]).length === 0;
    return [method, compileBodyCheck(fields({ params: withMeta }, isOptional ? [] : ['params']))] as const;
  }),
);

/** Clients that serialize missing values send null, which the protocol does not allow, and some send JSON as text. */
export function repaired(message: unknown): unknown {
  if (typeof message !== 'object' || message === null || !('params' in message)) return message;
  const { params, ...rest } = message as { params: { arguments?: unknown } | null };
  if (params === null) return rest;
  if (typeof params !== 'object' || Array.isArray(params)) return message;
  const { arguments: given, ...others } = params;
  if (given === null) return { ...rest, params: others };
  return typeof given === 'string' ? { ...rest, params: { ...others, arguments: parseJson(given) ?? given } } : message;
}

/** The first fault of a message in the protocol; null for notifications and responses, which have no effect. */
export function protocolFault(message: Readonly<Record<string, unknown>>): Fault | null {
  const { method, id } = message;
  if (method === undefined && !('result' in message) && !('error' in message))
    return { code: 'invalid_body', param: 'method', message: () => `\`method\` is required: ${LIST}.` };
  if (method === undefined || id === undefined) return null;
  const check = CHECKS.get(String(method));
  if (check) return check(message);
  const schema = { type: 'string', enum: [...CHECKS.keys()] };
  const accepts = (name: unknown): boolean => CHECKS.has(String(name));
  const explain = () => explainRefused({ name: 'method', given: method, schema, notation: 'json', accepts });
  return { code: 'invalid_body', param: 'method', message: explain };
}

const LIST = `one of ${[...CHECKS.keys()].join(', ')}`;
