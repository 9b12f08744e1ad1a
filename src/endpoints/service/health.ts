import { object, oneOf, single } from '#domain/json-schema.ts';
import { defineEndpoint } from '#http/endpoint.ts';
import { PRICES } from '#metering/prices.ts';

export const healthz = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  operationId: 'healthz',
  area: 'Service',
  summary: 'Liveness',
  description: 'Whether the process answers. Asks no store.',
  audience: 'public',
  scope: null,
  price: PRICES.service,
  pathParameters: [],
  parameters: [],
  response: single(object({ status: oneOf(['ok']) })),
  errors: [],
  handle: async () => ({ body: { data: { status: 'ok' } } }),
});

/** Milliseconds after which a store that does not respond counts as away. */
const PROBE_LIMIT = 1_500;

async function answers(probe: Promise<unknown>, limitMs: number): Promise<'ok' | 'away'> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'away'>((resolve) => {
    timer = setTimeout(resolve, limitMs, 'away');
  });
  try {
    return await Promise.race([probe.then(() => 'ok' as const).catch(() => 'away' as const), limit]);
  } finally {
    clearTimeout(timer);
  }
}

export const readyz = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  operationId: 'readyz',
  area: 'Service',
  summary: 'Readiness',
  description: 'Whether the stores answer too: 200 when all do, 503 when one is away.',
  audience: 'public',
  scope: null,
  price: PRICES.service,
  pathParameters: [],
  parameters: [],
  response: single(
    object({
      status: oneOf(['ready', 'not_ready']),
      opensearch: oneOf(['ok', 'away']),
      postgres: oneOf(['ok', 'away']),
    }),
  ),
  alsoAnswers: { 503: 'A store is away.' },
  errors: [],
  handle: async ({ services }) => {
    const limit = services.config.timeoutFactor * PROBE_LIMIT;
    const [opensearch, postgres] = await Promise.all([
      answers(services.search.answer(limit), limit),
      answers(services.pool.query('select 1'), limit),
    ]);
    const ready = opensearch === 'ok' && postgres === 'ok';
    return {
      status: ready ? 200 : 503,
      ...(ready ? {} : { headers: { 'Retry-After': '5' } }),
      body: { data: { status: ready ? 'ready' : 'not_ready', opensearch, postgres } },
    };
  },
});
