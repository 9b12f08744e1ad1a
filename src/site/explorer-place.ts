/** A visitor's position in search results, stored in the state of the browser's history entry. */
export interface Position {
  /** Number of loaded result pages. */
  pages: number;
  /** Scroll position in pixels. */
  y: number;
}

/** Maximum number of pages that are reloaded when the visitor returns. */
const MAX_PAGES = 10;

/** Reads a position from a history entry's state, which can contain any value. */
export function readPosition(state: unknown): Position {
  const { pages, y } = (state ?? {}) as Partial<Record<keyof Position, unknown>>;
  return {
    pages: Number.isInteger(pages) ? Math.min(Math.max(pages as number, 1), MAX_PAGES) : 1,
    y: typeof y === 'number' && y > 0 ? y : 0,
  };
}

/** Parses `min_lng,min_lat,max_lng,max_lat`. Returns null if the text is invalid. */
export function readBox(text: string | null): [west: number, south: number, east: number, north: number] | null {
  const [west, south, east, north, ...rest] = (text ?? '').split(',').map(Number);
  if (west === undefined || south === undefined || east === undefined || north === undefined || rest.length > 0)
    return null;
  const valid = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90;
  return valid ? [west, south, east, north] : null;
}
