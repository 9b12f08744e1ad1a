import { randomBytes } from 'node:crypto';
import { createIndex, readAliases, updateAliases } from '../aliases.ts';
import type { OpenSearch } from '../client.ts';

/** If a response is lost, retrying an action with `must_exist` would fail, because the first attempt succeeded. */
const NO_RETRY = { maxRetries: 0 } as const;

/** A process that is reindexing, or was killed while reindexing. */
export interface Holder {
  /** Identifies the machine or container. */
  machine: string;
  /** Host name, shown to operators. */
  host: string;
  pid: number;
  /** Start time in the format of the operating system, which distinguishes later processes with the same `pid`. */
  begun: string;
  /** Time at which the holder took the lease, shown to operators. */
  since: string;
}

/** A request to take the lease. */
export interface Claim {
  holder: Holder;
  /** Returns whether the holder's process has definitely ended. */
  hasEnded(holder: Holder): boolean;
  /** Set by an operator to take the lease from its current holder. */
  takeOver?: boolean;
}

/** Thrown if another process holds the lease. */
export class ReindexRunningError extends Error {
  override name = 'ReindexRunningError';
}

/** Thrown if another process has taken over the lease. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError';
}

/** The exclusive right to change the listings indexes. */
export interface Lease {
  /** Unique for each lease. */
  token: string;
  /**
   * Applies OpenSearch `_aliases` actions atomically, unless the lease was lost.
   * @throws LeaseLostError if the lease was lost; nothing is changed
   */
  updateAliases(actions: readonly object[]): Promise<void>;
  /** @throws LeaseLostError */
  check(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the lease.
 *
 * The lease is an alias on a small index. The alias is named after the holder's token, or `free`. The cluster applies
 * state changes one at a time, and a request that removes an alias with `must_exist` fails as a whole if the alias is
 * missing. Taking the lease is therefore a compare-and-set operation, and so is every later alias change by the holder:
 * a holder that lost the lease while suspended can change no alias. No clocks are involved.
 *
 * If a holder is killed, the lease remains. It can be taken over if its holder ran on this machine and has ended, or if
 * an operator requests it.
 * @throws ReindexRunningError with the holder
 */
export async function takeLease(client: OpenSearch, claim: Claim): Promise<Lease> {
  const names = leaseNames(client);
  await createLeaseIndex(client);
  const token = randomBytes(8).toString('hex');
  // The holder is written before the alias moves, so that every token has a holder record.
  await writeHolder(client, names.index, token, claim.holder);
  try {
    await take(client, token, claim);
  } catch (error) {
    await forgetHolder(client, names.index, token);
    throw error;
  }
  const own = names.held(token);
  const guard = [{ remove: { index: names.index, alias: own, must_exist: true } }];
  const keep = [...guard, { add: { index: names.index, alias: own } }];
  const orLost = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      throw (await currentToken(client)) === token ? error : lost();
    }
  };
  return {
    token,
    updateAliases: (actions) => orLost(updateAliases(client, [...keep, ...actions], NO_RETRY)),
    async check() {
      if ((await currentToken(client)) !== token) throw lost();
    },
    async release() {
      await orLost(updateAliases(client, [...guard, { add: { index: names.index, alias: names.free } }], NO_RETRY));
      await forgetHolder(client, names.index, token);
    },
  };
}

/** Returns the holder of the lease, or null. */
export async function leaseHolder(client: OpenSearch): Promise<Holder | null> {
  const token = await currentToken(client);
  return token === null ? null : readHolder(client, leaseNames(client).index, token);
}

export function describeHolder({ pid, host, since }: Holder): string {
  return `process ${pid} on ${host}, since ${since}`;
}

async function take(client: OpenSearch, token: string, claim: Claim): Promise<void> {
  const { index, free, held } = leaseNames(client);
  const from = (alias: string) => [
    { remove: { index, alias, must_exist: true } },
    { add: { index, alias: held(token) } },
  ];
  for (let tries = 0; ; tries++) {
    const current = await currentToken(client);
    if (current === token) return;
    if (current !== null) {
      const holder = await readHolder(client, index, current);
      const who = holder === null ? 'unknown process' : describeHolder(holder);
      // If the lease has just changed holders, it is not taken over, because the operator's request, or the check that
      // the process has ended, concerned the previous holder.
      const mayTake = tries === 0 && (claim.takeOver || (holder !== null && claim.hasEnded(holder)));
      if (!mayTake)
        throw new ReindexRunningError(
          `Another reindex or rollback is running (${who}). If that process has ended, run \`npm run reindex -- --take-over\`.`,
        );
    }
    try {
      await updateAliases(client, from(current === null ? free : held(current)), NO_RETRY);
      if (current !== null) await forgetHolder(client, index, current);
      return;
    } catch (error) {
      // Another process was faster, or the response was lost. The next iteration determines which.
      if (tries === 2) throw error;
    }
  }
}

function lost(): LeaseLostError {
  return new LeaseLostError(
    'Another reindex has taken over from this one, which has stopped and changed nothing more.',
  );
}

interface LeaseNames {
  index: string;
  free: string;
  held(token: string): string;
}

function leaseNames({ prefix }: OpenSearch): LeaseNames {
  const index = `${prefix}reindex-lease`;
  return { index, free: `${index}-free`, held: (token) => `${index}-held-${token}` };
}

/** Returns the token of the current holder, or null if the lease is free or was never created. */
async function currentToken(client: OpenSearch): Promise<string | null> {
  const { index, held } = leaseNames(client);
  const aliases = (await readAliases(client, [held('')])).get(index) ?? [];
  const alias = aliases.find((name) => name.startsWith(held('')));
  return alias === undefined ? null : alias.slice(held('').length);
}

async function createLeaseIndex(client: OpenSearch): Promise<void> {
  const { index, free } = leaseNames(client);
  await createIndex(client, index, {
    settings: { index: { number_of_shards: 1, auto_expand_replicas: '0-1' } },
    mappings: { dynamic: false },
    aliases: { [free]: {} },
  });
}

async function writeHolder(client: OpenSearch, index: string, token: string, holder: Holder): Promise<void> {
  await client.send('PUT', `/${index}/_doc/${token}`, { body: holder, requestTimeout: 30_000 });
}

async function readHolder(client: OpenSearch, index: string, token: string): Promise<Holder | null> {
  const options = { ignore: [404], requestTimeout: 30_000 };
  return (await client.send<{ _source?: Holder }>('GET', `/${index}/_doc/${token}`, options))._source ?? null;
}

/** Deletes the record of a holder. A leftover record is harmless. */
async function forgetHolder(client: OpenSearch, index: string, token: string): Promise<void> {
  const options = { ignore: [404], requestTimeout: 30_000 };
  await client.send('DELETE', `/${index}/_doc/${token}`, options).catch(() => {});
}
