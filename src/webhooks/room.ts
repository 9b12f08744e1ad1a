/** Milliseconds up to which an attempt is quick. */
const QUICK = 1_000;

/**
 * Returns the number of parallel attempts allowed to a host, given the last attempt. A host starts with one, which doubles with
 * each fast response, so that unknown hosts cannot occupy many slots by not responding. Slow hosts get fewer, in proportion:
 * one that takes eight seconds, an eighth. Pure.
 * @param room previous value
 * @param took milliseconds of the attempt; infinite after a timeout
 */
export function nextRoom(room: number, took: number, perHost: number): number {
  const most = Math.floor((perHost * QUICK) / Math.max(took, QUICK));
  return Math.max(1, Math.min(most, room * 2));
}
