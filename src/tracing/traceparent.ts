/** The trace of a caller. */
export interface RemoteParent {
  traceId: string;
  spanId: string;
}

/** Later versions may append fields, version ff is invalid, and zero ids are invalid (W3C Trace Context). */
const FORMAT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Reads a `traceparent` header. @returns null if it is missing or invalid */
export function parseTraceparent(header: string): RemoteParent | null {
  const [, version, traceId, spanId, rest] = FORMAT.exec(header) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && rest !== undefined)) return null;
  return { traceId, spanId };
}

/** Returns the `traceparent` header of a recorded span. */
export const formatTraceparent = ({ traceId, spanId }: RemoteParent): string => `00-${traceId}-${spanId}-01`;
