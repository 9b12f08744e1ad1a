import { quote } from '#domain/text/visible.ts';
import { unitsOf } from '#src/metering/prices.ts';
import type { Services } from '#src/services.ts';
import { compileBody } from './body/read.ts';
import type { HttpContext } from './context.ts';
import { costFault } from './cost-limits.ts';
import { type CursorState, decodeCursor } from './cursor.ts';
import { loadDeadline } from './deadlines.ts';
import type { Endpoint, LoadCall, Values } from './endpoint.ts';
import type { Fault } from './errors/api-error.ts';
import { MAX_IDEMPOTENCY_KEY } from './idempotency.ts';
import { compileParameters } from './parameters.ts';
import type { Route } from './router.ts';

/**
 * In milliseconds. Requests of a minute compile to the same search bodies, which the OpenSearch request cache serves.
 */
const NOW_ROUNDING = 60_000;

/** The values are valid only if `faults` is empty. */
export interface DecodedRequest {
  call: Omit<LoadCall, 'requester'>;
  body: unknown;
  idempotencyKey: string | null;
  faults: readonly Fault[];
}

export function createRequestDecoder(endpoints: readonly Endpoint[], services: Services) {
  const compiled = new Map(
    endpoints.map((endpoint) => {
      const { pathParameters, parameters, bodySchema } = endpoint;
      const body = bodySchema ? compileBody(bodySchema) : null;
      return [endpoint, { path: compileParameters(pathParameters), query: compileParameters(parameters), body }];
    }),
  );
  const lists = new Set(endpoints.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return async (
    context: HttpContext,
    { endpoint, path: segments }: Route,
    parameters: URLSearchParams,
  ): Promise<DecodedRequest> => {
    const decoders = compiled.get(endpoint);
    if (!decoders) throw new Error(`${endpoint.operationId} was not compiled`);
    const path = decoders.path(segments, services.places);
    const query = decoders.query(parameters, services.places);
    const list = endpoint.path.slice(0, endpoint.path.lastIndexOf('/'));
    const body = decoders.body ? await decoders.body(context) : NO_BODY;
    const faults: Fault[] = [
      ...path.faults.map((fault) =>
        lists.has(list) && isWord(fault) ? withHint(fault, `To search, use \`GET ${list}\`.`) : fault,
      ),
      ...query.faults.map((fault) => (isBodyIgnored(context.request, fault) ? withHint(fault, BODY_IGNORED) : fault)),
      ...body.faults,
    ];
    const idempotencyKey = endpoint.method === 'POST' ? readIdempotencyKey(context, faults) : null;
    const cursor = readCursor(endpoint, query.values, faults, services);
    const tooExpensive =
      faults.length === 0 ? costFault({ maxUnits: unitsOf(endpoint.price, query.values) }, query.values) : null;
    if (tooExpensive) faults.push(tooExpensive);
    const now = Math.floor(services.clock.now() / NOW_ROUNDING) * NOW_ROUNDING;
    const { requestId } = context.state;
    const deadline = loadDeadline(services);
    return {
      call: { path: path.values, query: query.values, cursor, services, now, deadline, requestId },
      body: body.value,
      idempotencyKey,
      faults,
    };
  };
}

/** Whether a path parameter for a number is a word, as in `/listings/search`. */
const isWord = ({ schemaMismatch, given }: Fault): boolean =>
  schemaMismatch === true && /^[a-z_-]+$/i.test(given ?? '');

const BODY_IGNORED = 'The body of a GET request is ignored: send parameters in the URL.';
const isBodyIgnored = ({ method, length }: HttpContext['request'], { code }: Fault): boolean =>
  method === 'GET' && code === 'missing_parameter' && length > 0;

const withHint = (fault: Fault, hint: string): Fault => ({ ...fault, message: () => `${fault.message?.()} ${hint}` });

const NO_BODY = { value: undefined, faults: [] } as const;

function readIdempotencyKey(context: HttpContext, faults: Fault[]): string | null {
  const key = context.headers['idempotency-key'];
  if (key === undefined) return null;
  const text = String(key);
  if (text.length >= 1 && text.length <= MAX_IDEMPOTENCY_KEY) return text;
  const message = () =>
    `\`Idempotency-Key\` must be a string of 1 to ${MAX_IDEMPOTENCY_KEY} characters, not ${text.length}.`;
  faults.push({ code: 'invalid_value', param: 'Idempotency-Key', message });
  return null;
}

function readCursor(endpoint: Endpoint, query: Values, faults: Fault[], services: Services): CursorState | null {
  if (!endpoint.paged || typeof query.cursor !== 'string') return null;
  const cursor = decodeCursor(query.cursor, services.config.cursorSecrets);
  if (!cursor) {
    const given = query.cursor;
    const message = () =>
      `\`cursor\` must be the \`next_cursor\` of the previous page, not ${given === '' ? 'an empty value' : quote(given)}. Start again without it.`;
    faults.push({ code: 'invalid_cursor', param: 'cursor', message });
  }
  return cursor;
}
