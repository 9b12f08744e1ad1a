/** Maximum duration of a fast attempt in milliseconds. */
const FAST_MS = 1_000;

/**
 * Returns the number of parallel attempts allowed to a host after its last attempt. The number starts at one and
 * doubles with each fast response, so that unresponsive new hosts cannot occupy many slots. Slow hosts get
 * proportionally fewer attempts: a host that takes eight seconds to respond gets an eighth of `perHost`. The minimum is
 * one. Pure.
 * @param capacity previous number
 * @param durationMs duration of the last attempt in milliseconds; infinite after a timeout
 */
export function nextCapacity(capacity: number, durationMs: number, perHost: number): number {
  const limit = Math.floor((perHost * FAST_MS) / Math.max(durationMs, FAST_MS));
  return Math.max(1, Math.min(limit, capacity * 2));
}
