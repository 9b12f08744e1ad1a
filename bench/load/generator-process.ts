// Process of the load generator. Sends requests and measures the latency of every response; responses are discarded
// without parsing.

import { type Dispatcher, Pool } from 'undici';
import { messageOf } from '#domain/message-of.ts';
import { createPool } from '#postgres/pool.ts';
import type { Command, HttpRequest, Reply, Side, Slice, SliceResult, Statement } from './protocol.ts';

interface Lane {
  /** Sends the request with this index. */
  send(at: number): Promise<unknown>;
  close(): Promise<void>;
}

/** Milliseconds. */
const RESPONSE_LIMIT = 30_000;
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
      headersTimeout: RESPONSE_LIMIT,
      bodyTimeout: RESPONSE_LIMIT,
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
    statementTimeout: RESPONSE_LIMIT,
    name: 'bench',
    asynchronousCommit: side.asynchronousCommit,
  });
  const client = await pool.connect();
  const { statements } = side;
  return {
    send: (at) => {
      const statement = statements[at % statements.length] as Statement;
      const { name, text, values } = statement;
      return client.query({ name, text, values: [...values], rowMode: 'array' });
    },
    close: async () => {
      client.release();
      await pool.end();
    },
  };
}

function sendHttp(pool: Pool, { body, ...request }: HttpRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    let refusal = '';
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData(_controller, chunk) {
        if (status !== 200 && refusal.length < 300) refusal += chunk.toString('utf8');
      },
      onResponseEnd() {
        if (status === 200) resolve();
        else reject(new Error(`${status} ${refusal.slice(0, 300)}`));
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    };
    pool.dispatch({ ...request, body: body ?? null }, handler);
  });
}

async function runSlice({ side, connections, count, from, pause }: Slice): Promise<SliceResult> {
  const lanes = await lanesOf(side, connections);
  const latencies = new Float64Array(count);
  const examples: string[] = [];
  let next = 0;
  let failures = 0;
  const begun = performance.now();
  await Promise.all(
    lanes.map(async ({ send }) => {
      for (let mine = next++; mine < count; mine = next++) {
        const sent = performance.now();
        try {
          await send(from + mine);
        } catch (error) {
          failures++;
          if (examples.length < 5) examples.push(messageOf(error));
        }
        latencies[mine] = performance.now() - sent;
        if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }),
  );
  return { latencies, seconds: (performance.now() - begun) / 1000, failures, examples };
}

async function closeAll(): Promise<void> {
  const lanes = [...open.values()].flat();
  open.clear();
  await Promise.all(lanes.map((lane) => lane.close()));
}

async function run(command: Command): Promise<SliceResult | undefined> {
  if ('slice' in command) return runSlice(command.slice);
  await closeAll();
  sides = command.sides;
  return undefined;
}

process.on('message', (command: Command) => {
  run(command).then(
    (result) => process.send?.({ result } satisfies Reply),
    (error: unknown) => process.send?.({ error: String((error as Error).stack ?? error) } satisfies Reply),
  );
});
// Also exits when the parent process is killed.
process.on('disconnect', () => process.exit());
process.send?.('ready');
