/** A histogram bar: values from `key` (inclusive) to `key` plus the bar width (exclusive). */
export interface Bar {
  key: number;
  doc_count: number;
}

/**
 * Values from `from` (inclusive) to `to` (exclusive). The first bin may have no lower bound and the last no upper one:
 * null.
 */
export interface Bin {
  from: number | null;
  to: number | null;
  count: number;
}

/** Approximate number of bins, and the share of values at each end that may be in an open-ended bin. */
const BINS = 20;
const TAIL = 0.01;

/**
 * Merges narrow bars into bins of equal, round width from the 1st to the 99th percentile, so that a single palace does
 * not flatten the rest; values outside are in open-ended bins.
 */
export function binsOf(bars: readonly Bar[], bar: number): Bin[] {
  const total = bars.reduce((sum, { doc_count }) => sum + doc_count, 0);
  if (total === 0) return [];
  const low = barAt(bars, total * TAIL);
  const high = barAt(bars, total * (1 - TAIL)) + bar;
  const width = roundWidth((high - low) / BINS, bar);
  const start = Math.floor(low / width) * width;
  const count = Math.max(1, Math.ceil((high - start) / width));
  const end = start + count * width;
  const bins: Bin[] = Array.from({ length: count }, (_, index) => ({
    from: start + index * width,
    to: start + (index + 1) * width,
    count: 0,
  }));
  const under: Bin = { from: null, to: start, count: 0 };
  const over: Bin = { from: end, to: null, count: 0 };
  for (const { key, doc_count } of bars) {
    const bin = key < start ? under : key >= end ? over : bins[Math.floor((key - start) / width)];
    if (bin) bin.count += doc_count;
  }
  return [...(under.count > 0 ? [under] : []), ...bins, ...(over.count > 0 ? [over] : [])];
}

function barAt(bars: readonly Bar[], rank: number): number {
  let seen = 0;
  for (const { key, doc_count } of bars) {
    seen += doc_count;
    if (seen >= rank) return key;
  }
  return bars.at(-1)?.key ?? 0;
}

/** Returns 1, 2, 2.5 or 5 times a power of ten that is at least the wanted width and a whole number of bars. */
function roundWidth(wanted: number, bar: number): number {
  for (let unit = 1; ; unit *= 10) {
    for (const factor of [1, 2, 2.5, 5]) {
      const width = factor * unit;
      if (width >= wanted && width >= bar && width % bar === 0) return width;
    }
  }
}
