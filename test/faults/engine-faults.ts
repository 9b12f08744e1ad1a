import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName, Fault, Stage } from './fault.ts';

/**
 * Duration of a stall in milliseconds. It is longer than the timeout of any call, so that engines complete timed-out
 * work when they resume.
 */
const STALL = 4_000;
const TIMES = 3;

/** Suspends and resumes engines several times. */
async function stall({ signal }: Stage, engines: readonly EngineName[]): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    await Promise.all(engines.map((engine) => signal(engine, 'SIGSTOP')));
    await sleep(STALL);
    await Promise.all(engines.map((engine) => signal(engine, 'SIGCONT')));
    await sleep(1_000);
  }
}

const stalled = (...engines: EngineName[]): Fault => ({
  title: `${engines.join(' and ')} ${engines.length === 1 ? 'is' : 'are'} unresponsive for 4 s, three times`,
  ...(engines.includes('Postgres') ? { loses: 'responses' } : {}),
  happen: (stage) => stall(stage, engines),
});

const killed = (engine: EngineName): Fault => ({
  title: `${engine} is killed`,
  happen: ({ signal }) => signal(engine, 'SIGKILL'),
});

/** Faults of engines and nodes, by name. */
export const ENGINE_FAULTS: Readonly<Record<string, Fault>> = {
  none: { title: 'no fault, for comparison', order: -2, happen: () => sleep(5_000) },
  'all-stalled': stalled('OpenSearch', 'Postgres'),
  'opensearch-killed': killed('OpenSearch'),
  'opensearch-stalled': stalled('OpenSearch'),
  'postgres-killed': { ...killed('Postgres'), loses: 'moments' },
  'postgres-stalled': stalled('Postgres'),
  's3-killed': killed('S3'),
  's3-stalled': stalled('S3'),
  'opensearch-node-dead': {
    title: 'one of two OpenSearch nodes refuses connections, then is unresponsive',
    async happen({ otherNode }) {
      for (const mode of ['refuse', 'hang'] as const) {
        await otherNode.set(mode);
        await sleep(6_000);
        await otherNode.set('pass');
      }
    },
  },
  'api-killed': {
    title: 'one of two API nodes is killed',
    order: 1,
    loses: 'calls',
    async happen({ second, load }) {
      await load.burst(second.url, 30);
      await second.end('SIGKILL');
    },
  },
  'start-stopped': {
    title: '`npm start` is stopped with 60 searches in flight',
    order: 2,
    async happen({ main, second, load }) {
      // The other node is stopped first, because it uses the engines of `npm start`.
      await second.end('SIGTERM');
      await load.burst(main.url, 60);
      await main.end('SIGTERM');
    },
  },
};
