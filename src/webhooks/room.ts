/** Milliseconds up to which an attempt is quick. */
const QUICK = 1_000;

/**
 * How many attempts may be under way to a host, by how the last one went. A host begins with one, and has twice as many with
 * each quick answer: one that nobody knows cannot take many places by hanging. One that takes its time gets fewer, so
 * that it holds about as much of the process as any other: one that takes eight seconds, an eighth. Pure.
 * @param room before
 * @param took milliseconds of the attempt; infinite where it was not answered in time
 */
export function nextRoom(room: number, took: number, perHost: number): number {
  const most = Math.floor((perHost * QUICK) / Math.max(took, QUICK));
  return Math.max(1, Math.min(most, room * 2));
}
