import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { ExecutionContext } from 'ava';
import { StoreError } from '#domain/store-error.ts';
import { createSearchEngine } from '#stores/opensearch/read-engine.ts';
import { test } from '#test/test.ts';

const EMPTY = '{"hits":{"hits":[]}}';

interface FakeNode {
  url: string;
  /** Number of searches that the node has received. */
  searches: number;
  answer(request: IncomingMessage, response: ServerResponse): void;
  server: Server;
}

/** Starts a node that returns an empty page for every search until its `answer` is replaced. */
async function startNode(t: ExecutionContext, port = 0): Promise<FakeNode> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') node.searches++;
    node.answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const node: FakeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    searches: 0,
    answer: (_request, response) => response.end(EMPTY),
    server,
  };
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return node;
}

function engineOf(t: ExecutionContext, nodes: readonly FakeNode[], timeout = 2_000, connections = 2) {
  const engine = createSearchEngine({ urls: nodes.map(({ url }) => url), timeout, connections });
  t.teardown(() => engine.close());
  return engine;
}

const isUnavailableError = (error: unknown): boolean => error instanceof StoreError && error.unavailable;

test('no search fails because the only node closes all of its connections, with or without a reset', async (t) => {
  const node = await startNode(t);
  const sockets = new Set<Socket>();
  node.server.on('connection', (socket) => sockets.add(socket));
  const connections = 16;
  const engine = engineOf(t, [node], 5_000, connections);
  const searches = (count: number) => Promise.all(Array.from({ length: count }, () => engine.search('listings', {})));
  for (const close of ['destroy', 'resetAndDestroy'] as const)
    for (let round = 0; round < 20; round++) {
      await searches(connections);
      for (const socket of sockets) socket[close]();
      sockets.clear();
      await t.notThrowsAsync(searches(1 + (round % connections)), `${close}, round ${round}`);
    }
});

test('no search fails while one node is unavailable, and the node is used again when it responds', async (t) => {
  const [first, second] = [await startNode(t), await startNode(t)];
  const engine = engineOf(t, [first, second]);
  for (let count = 0; count < 2; count++) await engine.search('listings', {});
  t.deepEqual([first.searches, second.searches], [1, 1]);
  first.server.closeAllConnections();
  first.server.close();
  await once(first.server, 'close');
  for (let count = 0; count < 20; count++) await engine.search('listings', {});
  t.is(second.searches, 21);

  const again = await startNode(t, Number(new URL(first.url).port));
  const deadline = Date.now() + 30_000;
  while (again.searches === 0 && Date.now() < deadline) await engine.search('listings', {});
  t.true(again.searches > 0, 'it was probed in the background, and gets requests again');
});

test('a node is excluded if it does not respond within the search timeout, and not because of the deadline of a request', async (t) => {
  const [first, second] = [await startNode(t), await startNode(t)];
  const engine = engineOf(t, [first, second], 1_000);
  const held: ServerResponse[] = [];
  first.answer = (_request, response) => void held.push(response);
  const deadline = performance.now() + 50;
  t.true(isUnavailableError(await t.throwsAsync(engine.search('listings', {}, { deadline }))));
  await engine.search('listings', {});
  t.deepEqual([first.searches, second.searches], [1, 1]);

  // The next search is for the first node again. Its deadline is as late as the timeout.
  const whole = performance.now() + 999;
  t.true(isUnavailableError(await t.throwsAsync(engine.search('listings', {}, { deadline: whole }))));
  t.deepEqual([first.searches, second.searches], [2, 1]);
  for (let count = 0; count < 4; count++) await engine.search('listings', {});
  t.deepEqual([first.searches, second.searches], [2, 5]);
  for (const response of held) response.destroy();
});

test('a node without a response for a second receives no more searches, and after two seconds another node gets its own', async (t) => {
  const [first, second] = [await startNode(t), await startNode(t)];
  const engine = engineOf(t, [first, second], 20_000);
  const held: ServerResponse[] = [];
  first.answer = (_request, response) => void held.push(response);
  const stuck = engine.search('listings', {});
  await sleep(1_100);
  for (let count = 0; count < 6; count++) await engine.search('listings', {});
  t.is(first.searches, 1);
  t.deepEqual(await stuck, JSON.parse(EMPTY));
  t.deepEqual([first.searches, second.searches], [1, 7]);

  first.answer = (_request, response) => response.end(EMPTY);
  for (const response of held) response.destroy();
  const deadline = Date.now() + 30_000;
  while (first.searches === 1 && Date.now() < deadline) await engine.search('listings', {});
  t.true(first.searches > 1, 'it was probed in the background, and gets searches again');
});

test('a search is not sent again if no other node responds, or if its node responds to others', async (t) => {
  const nodes = [await startNode(t), await startNode(t)] as const;
  const engine = engineOf(t, nodes, 4_000);
  for (const node of nodes) node.answer = () => {};
  const outcomes = await Promise.allSettled(nodes.map(() => engine.search('listings', {})));
  t.true(outcomes.every((outcome) => outcome.status === 'rejected' && isUnavailableError(outcome.reason)));
  t.deepEqual(
    nodes.map(({ searches }) => searches),
    [1, 1],
  );

  const [slow, other] = [await startNode(t), await startNode(t)];
  const busy = engineOf(t, [slow, other], 20_000, 4);
  slow.answer = (_request, response) => void setTimeout(() => response.end(EMPTY), slow.searches === 1 ? 3_000 : 0);
  const late = busy.search('listings', {});
  for (const ended = late.then(() => true); !(await Promise.race([ended, sleep(100, false)])); )
    await Promise.all([busy.search('listings', {}), busy.search('listings', {})]);
  const [ofSlow, ofOther] = [slow.searches, other.searches];
  // The searches of a turn go to both.
  t.is(ofSlow, ofOther + 1);
});

test('a node is not excluded because an earlier node used up the time of the search', async (t) => {
  const nodes = [await startNode(t), await startNode(t), await startNode(t)] as const;
  const [first, second] = nodes;
  const engine = engineOf(t, nodes, 1_000);
  first.answer = (request) => void setTimeout(() => request.socket.destroy(), 800);
  second.answer = () => {};
  t.true(isUnavailableError(await t.throwsAsync(engine.search('listings', {}))));
  second.answer = (_request, response) => response.end(EMPTY);
  for (let count = 0; count < 4; count++) await engine.search('listings', {});
  t.true(second.searches > 1, `${second.searches} searches`);
});

test('the search timeout includes the wait for a connection, and the queue is bounded', async (t) => {
  const node = await startNode(t);
  node.answer = () => {};
  const engine = engineOf(t, [node], 500, 2);
  const begun = performance.now();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, async () => {
      await engine.search('listings', {}).catch((error: unknown) => {
        throw { error, after: performance.now() - begun };
      });
    }),
  );
  const failures = outcomes.map(
    (outcome) => (outcome as PromiseRejectedResult).reason as { error: unknown; after: number },
  );
  t.true(failures.every(({ error }) => isUnavailableError(error)));
  // Two connections accept eight queued searches each, and the other searches are refused immediately.
  const atOnce = failures.filter(({ error }) => String(error).includes('are under way'));
  t.is(atOnce.length, 30 - 2 * 9);
  t.true(node.searches <= 4, `${node.searches} searches reached an unresponsive node`);

  node.answer = (_request, response) => response.end(EMPTY);
  t.deepEqual(await engine.search('listings', {}), JSON.parse(EMPTY), 'nothing is left of the stall');
});

test('a search whose response arrives while the process is busy has not timed out', async (t) => {
  const node = new Worker(
    `const { createServer } = require('node:http');
     const server = createServer((_request, response) => setTimeout(() => response.end('${EMPTY}'), 100));
     server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port));`,
    { eval: true },
  );
  t.teardown(() => node.terminate().then(() => {}));
  const [port] = await once(node, 'message');
  const engine = createSearchEngine({ urls: [`http://127.0.0.1:${port}`], timeout: 1_000, connections: 1 });
  t.teardown(() => engine.close());
  await engine.search('listings', {});
  const search = engine.search('listings', {});
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_200);
  t.deepEqual(await search, JSON.parse(EMPTY));
});

test('an index is searchable while at least one node completes a search, even if other nodes fail', async (t) => {
  const [first, second] = [await startNode(t), await startNode(t)];
  const engine = engineOf(t, [first, second]);
  const probe = () => engine.probe('listings', 1_000);
  t.true(await probe());
  const missing = '{"error":{"type":"index_not_found_exception"},"status":404}';
  for (const answer of [
    (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(503).end('{}'),
    (_request: IncomingMessage, response: ServerResponse) => void response.end('<html>'),
    (request: IncomingMessage) => void request.socket.destroy(),
    (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(404).end(missing),
  ]) {
    const before = second.answer;
    first.answer = answer;
    for (let count = 0; count < 6; count++) t.true(await probe());
    second.answer = answer;
    t.false(await probe());
    second.answer = before;
  }
});

test('every search tells the engine when to end it, at most two seconds after its deadline', async (t) => {
  const node = await startNode(t);
  const paths: string[] = [];
  node.answer = (request, response) => {
    paths.push(String(request.url));
    response.end(EMPTY);
  };
  const engine = engineOf(t, [node], 5_000);
  for (const left of [Number.POSITIVE_INFINITY, 60_000, 4_500, 2_500, 50])
    await engine.search('listings', {}, { deadline: performance.now() + left });
  await engine.search(null, { pit: {} });
  // A point in time names its copies.
  t.deepEqual(
    paths.map((path) => path.includes('preference=_local')),
    [true, true, true, true, true, false],
  );
  const timeouts = paths.map((path) => Number(/[?&]timeout=(\d+)ms/.exec(path)?.[1]));
  // Most searches have the same timeout, because it is part of the key of the request cache.
  t.deepEqual(timeouts, [6_000, 6_000, 6_000, 4_000, 2_000, 6_000]);
});
