import { messageOf } from '#domain/message-of.ts';
import type { RunContext } from '../run/context.ts';
import type { Source } from '../sources/source.ts';
import type { FetchCounts } from './counts.ts';

/** Days after which a feed expires, if it is also older than its source allows: its ads are withdrawn. */
const EXPIRED_DAYS = 14;
const DAY_MS = 86_400_000;

/** Reads the age before the feed is read. A missing feed counts as failed. */
export async function readAge({ run, signal }: RunContext, source: Source, counts: FetchCounts): Promise<void> {
  try {
    const snapshot = await source.snapshot?.({ at: run.at, signal });
    if (!snapshot) return;
    counts.asOf = snapshot.at;
    const { maxAgeDays } = snapshot;
    const days = Math.floor((run.at.getTime() - snapshot.at.getTime()) / DAY_MS);
    if (maxAgeDays === null || days <= maxAgeDays) return;
    counts.expired = days > Math.max(maxAgeDays, EXPIRED_DAYS);
    counts.stale = `its newest feed is of ${snapshot.at.toISOString().slice(0, 10)}, ${days} days before the run`;
  } catch (error) {
    signal.throwIfAborted();
    counts.failed = messageOf(error);
  }
}
