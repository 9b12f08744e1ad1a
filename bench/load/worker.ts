// The process of the load generator: sends requests and measures the time of every response. Responses are counted and
// discarded without parsing.

import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Dispatcher, Pool } from 'undici';
import { messageOf } from '#domain/message-of.ts';
import { createPool } from '#postgres/pool.ts';
import type { Command, Flow, FlowResult, HttpRequest, Reply, Side, Slice, SliceResult, Statement } from './protocol.ts';

/** Sends one request and returns the size of its response in bytes. */
type Send = (at: number) => Promise<number>;

interface Lane {
  send: Send;
  close(): Promise<void>;
}

const ANSWER_LIMIT = 30_000;
let sides: Readonly<Record<string, Side>> = {};
const open = new Map<string, Lane[]>();

async function lanesOf(name: string, connections: number): Promise<Lane[]> {
  const key = `${name} ${connections}`;
  const known = open.get(key);
  if (known) return known;
  const side = sides[name];
  if (!side) throw new Error(`unknown side ${name}`);
  const lanes = await Promise.all(Array.from({ length: connections }, () => openLane(side)));
  open.set(key, lanes);
  return lanes;
}

async function openLane(side: Side): Promise<Lane> {
  if (side.kind === 'http') {
    const { origin, requests } = side;
    const pool = new Pool(origin, {
      connections: 1,
      pipelining: 1,
      headersTimeout: ANSWER_LIMIT,
      bodyTimeout: ANSWER_LIMIT,
      keepAliveTimeout: 60_000,
    });
    return {
      send: (at) => sendHttp(pool, requests[at % requests.length] as HttpRequest),
      close: () => pool.destroy(),
    };
  }
  // One connection per lane, as from the connection pool of a service.
  const pool = createPool(side.databaseUrl, {
    max: 1,
    statementTimeout: ANSWER_LIMIT,
    name: 'bench',
    asynchronousCommit: side.asynchronousCommit,
  });
  const client = await pool.connect();
  const { statements } = side;
  const session = randomUUID();
  let number = 0;
  return {
    send: (at) => {
      const statement = statements[at % statements.length] as Statement;
      const { values, inSession = false } = statement;
      return sendStatement(client, inSession ? { ...statement, values: [...values, session, ++number] } : statement);
    },
    close: async () => {
      client.release();
      await pool.end();
    },
  };
}

function sendHttp(pool: Pool, request: HttpRequest): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let status = 0;
    let refusal = '';
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (status !== 200 && refusal.length < 300) refusal += chunk.toString('utf8');
      },
      onResponseEnd() {
        if (status === 200) resolve(bytes);
        else reject(new Error(`${status} ${refusal.slice(0, 300)}`));
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    };
    pool.dispatch(
      { method: request.method, path: request.path, headers: request.headers, body: request.body ?? null },
      handler,
    );
  });
}

async function sendStatement(client: pg.PoolClient, statement: Statement): Promise<number> {
  const { rows } = await client.query<unknown[]>({
    name: statement.name,
    text: statement.text,
    values: statement.values as unknown[],
    rowMode: 'array',
  });
  const [first] = rows[0] ?? [];
  return typeof first === 'string' ? first.length : 0;
}

async function runSlice({ side, connections, count, from, pause }: Slice): Promise<SliceResult> {
  const lanes = await lanesOf(side, connections);
  const latencies = new Float64Array(count);
  const examples: string[] = [];
  let next = 0;
  let bytes = 0;
  let failures = 0;
  const begun = performance.now();
  await Promise.all(
    lanes.map(async ({ send }) => {
      for (let mine = next++; mine < count; mine = next++) {
        const sent = performance.now();
        try {
          bytes += await send(from + mine);
        } catch (error) {
          failures++;
          if (examples.length < 5) examples.push(messageOf(error));
        }
        latencies[mine] = performance.now() - sent;
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }),
  );
  return { latencies, seconds: (performance.now() - begun) / 1000, bytes, failures, examples };
}

/** Connections opened concurrently. More would overflow the accept queue of the listening socket. */
const OPENED_AT_ONCE = 100;

/** Opens the connections of a flow in advance, so that it does not start with hundreds of handshakes. */
async function openPool({ side, connections }: Flow): Promise<Pool> {
  const { origin } = httpSide(side);
  const pool = new Pool(origin, {
    connections,
    headersTimeout: ANSWER_LIMIT,
    bodyTimeout: ANSWER_LIMIT,
    keepAliveTimeout: 60_000,
  });
  for (let open = 0; open < connections; ) {
    open = Math.min(connections, open + OPENED_AT_ONCE);
    await Promise.all(
      Array.from({ length: open }, () => requestOnce(pool, { method: 'GET', path: '/healthz', headers: {} })),
    );
  }
  return pool;
}

function httpSide(name: string): Extract<Side, { kind: 'http' }> {
  const side = sides[name];
  if (side?.kind !== 'http') throw new Error(`${name} is not a side of HTTP requests`);
  return side;
}

async function runFlow({ side, perSecond, from }: Flow, pool: Pool, seconds: number): Promise<FlowResult> {
  const { requests } = httpSide(side);
  const result: FlowResult = {
    sent: 0,
    statuses: {},
    latencies: new Float64Array(0),
    units: 0,
    perSecond: Array.from({ length: seconds }, () => 0),
  };
  const latencies: number[] = [];
  const underWay = new Set<Promise<void>>();
  const begun = performance.now();
  const send = async (at: number, due: number): Promise<void> => {
    const { status, units } = await requestOnce(pool, requests[at % requests.length] as HttpRequest);
    result.statuses[status] = (result.statuses[status] ?? 0) + 1;
    if (status !== 200) return;
    const ended = performance.now();
    latencies.push(ended - due);
    result.units += units;
    const second = Math.floor((ended - begun) / 1_000);
    if (second < seconds) result.perSecond[second] = (result.perSecond[second] ?? 0) + 1;
  };
  for (;;) {
    const passed = Math.min(performance.now() - begun, seconds * 1_000);
    for (const due = Math.floor((passed * perSecond) / 1_000); result.sent < due; ) {
      const at = result.sent++;
      const sent: Promise<void> = send(from + at, begun + (at * 1_000) / perSecond).finally(() =>
        underWay.delete(sent),
      );
      underWay.add(sent);
    }
    if (passed >= seconds * 1_000) break;
    await new Promise((resolve) => setTimeout(resolve, Math.min(1_000 / perSecond, 10)));
  }
  await Promise.all(underWay);
  await pool.destroy();
  return { ...result, latencies: Float64Array.from(latencies) };
}

/** Never rejects: a request without a response has status 0. */
function requestOnce(
  pool: Pool,
  { method, path, headers, body }: HttpRequest,
): Promise<{ status: number; units: number }> {
  return new Promise((resolve) => {
    let status = 0;
    let units = 0;
    pool.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode, received) {
          status = statusCode;
          units = Number(received['x-request-units'] ?? 0);
        },
        onResponseData() {},
        onResponseEnd: () => resolve({ status, units }),
        onResponseError: () => resolve({ status: 0, units: 0 }),
      },
    );
  });
}

async function closeAll(): Promise<void> {
  const lanes = [...open.values()].flat();
  open.clear();
  await Promise.all(lanes.map((lane) => lane.close()));
}

const reply = (message: Reply): void => {
  process.send?.(message);
};

process.on('message', async (command: Command) => {
  try {
    if (command.type === 'sides') {
      await closeAll();
      sides = command.sides;
      reply({ type: 'ready' });
    } else if (command.type === 'slice') {
      reply({ type: 'result', result: await runSlice(command.slice) });
    } else if (command.type === 'flows') {
      const { flows, seconds } = command;
      const pools = await Promise.all(flows.map(openPool));
      const results = await Promise.all(flows.map((flow, at) => runFlow(flow, pools[at] as Pool, seconds)));
      reply({ type: 'flows', results });
    } else {
      await closeAll();
      process.disconnect();
    }
  } catch (error) {
    reply({ type: 'error', message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
