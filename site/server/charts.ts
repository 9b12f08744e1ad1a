import { scaleBand, scaleLinear, scaleTime } from 'd3-scale';
import { line } from 'd3-shape';
import { type Html, html } from '#src/documents/html.ts';

/** SVG charts for server and browser, styled only by classes, because pages allow no inline styles. */

const WIDTH = 520;
const HEIGHT = 200;
/** The left margin has room for "1.252 مليون" at the size of text on a phone. */
const MARGIN = { top: 12, right: 24, bottom: 28, left: 92 };
/** Maximum number of labels on the horizontal axis, for phones. */
const NAMES = 3;

/** Charts run from left to right, and an Arabic label starts on the right. */
const isolate = (text: string): string => `\u2068${text}\u2069`;

interface ChartText {
  label: string;
  /** Formats a value on the vertical axis, whose labels are `step` apart. */
  value(value: number, step: number): string;
}

interface TimePoint {
  at: number;
  value: number | null;
  /** Draws the point hollow: the value is not final or of a small sample. */
  weak?: boolean;
  title: string;
}

export interface TimeChart extends ChartText {
  points: readonly TimePoint[];
  time(at: number): string;
  /** Whether a value applies until the next point: true for prices, false for medians. */
  steps?: boolean;
  /** Time up to which the last value applies. Defaults to the time of the last point. */
  until?: number;
}

export function timeChart({ points, label, value, time, steps = false, until = 0 }: TimeChart): Html {
  const known = points.filter((point): point is TimePoint & { value: number } => point.value !== null);
  const first = points[0]?.at ?? 0;
  const last = Math.max(points.at(-1)?.at ?? 1, until, first + 1);
  const values = known.map((point) => point.value);
  const [low, high] = padded(Math.min(...values), Math.max(...values));
  const x = scaleTime([first, last], [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([low, high], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const place = line<{ at: number; value: number | null }>(
    (point) => x(point.at),
    (point) => y(point.value ?? 0),
  ).defined((point) => point.value !== null);
  const corners = steps
    ? [
        ...points.flatMap((point, at) =>
          at === 0 ? [point] : [{ ...point, value: points[at - 1]?.value ?? null }, point],
        ),
        { at: last, value: points.at(-1)?.value ?? null },
      ]
    : points;
  const candidates = x
    .ticks(NAMES + 1)
    .filter((tick, at, all) => all.findIndex((other) => time(+other) === time(+tick)) === at);
  const ticks = candidates.filter((_, at) => at % Math.ceil(candidates.length / NAMES) === 0);
  return frame(
    label,
    html`${horizontal(y, value)}${ticks.map((at) => tick(x(at), HEIGHT - 8, time(+at)))}<path class="line" d="${place(corners) ?? ''}"/>${known.map((point) => html`<circle class="${point.weak ? 'dot weak' : 'dot'}" cx="${x(point.at).toFixed(1)}" cy="${y(point.value).toFixed(1)}" r="4"><title>${point.title}</title></circle>`)}`,
  );
}

interface Bar {
  /** Label below the bar. Labels that do not fit are omitted. */
  name: string;
  value: number;
  title: string;
  marked?: boolean;
  /** Draws the bar pale: the value is not final. */
  weak?: boolean;
  /** Whether the time of the bar has not ended. */
  isOpen?: boolean;
}

export interface BarChart extends ChartText {
  bars: readonly Bar[];
}

export function barChart({ bars, label, value }: BarChart): Html {
  const highest = Math.max(1, ...bars.map((bar) => bar.value));
  const x = scaleBand(
    bars.map((_, index) => index),
    [MARGIN.left, WIDTH - MARGIN.right],
  ).padding(0.12);
  const y = scaleLinear([0, highest], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(4);
  const every = Math.max(1, Math.ceil(bars.length / NAMES));
  return frame(
    label,
    html`${horizontal(y, value)}${bars.map((bar, index) => {
      const left = x(index) ?? 0;
      const top = y(bar.value);
      const name = index % every === 0 && tick(left + x.bandwidth() / 2, HEIGHT - 8, bar.name);
      return html`<rect class="bar${bar.marked ? ' marked' : ''}${bar.weak ? ' weak' : ''}${bar.isOpen ? ' open' : ''}" x="${left.toFixed(1)}" y="${top.toFixed(1)}" width="${x.bandwidth().toFixed(1)}" height="${(HEIGHT - MARGIN.bottom - top).toFixed(1)}"><title>${bar.title}</title></rect>${name}`;
    })}`,
  );
}

export interface BandChart {
  label: string;
  low: number;
  median: number;
  high: number;
  price: number;
  value(value: number): string;
}

export function bandChart({ label, low, median, high, price, value }: BandChart): Html {
  const [from, to] = padded(Math.min(low, price), Math.max(high, price), 0.12);
  const x = (amount: number): number => 12 + ((amount - from) / (to - from)) * (WIDTH - 24);
  const at = (amount: number): string => x(amount).toFixed(1);
  // Labels that would extend beyond the chart are moved inside.
  const within = (amount: number): string => Math.min(Math.max(x(amount), 60), WIDTH - 60).toFixed(1);
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} 92" role="img" aria-label="${label}" direction="ltr"><rect class="track" x="0" y="42" width="${WIDTH}" height="10" rx="5"/><rect class="band" x="${at(low)}" y="42" width="${(x(high) - x(low)).toFixed(1)}" height="10" rx="3"/><line class="median" x1="${at(median)}" x2="${at(median)}" y1="38" y2="56"/><text class="tick" x="${within(low)}" y="76" text-anchor="middle">${isolate(value(low))}</text><text class="tick" x="${within(high)}" y="76" text-anchor="middle">${isolate(value(high))}</text><circle class="dot" cx="${at(price)}" cy="47" r="8"/><text class="value" x="${within(price)}" y="26" text-anchor="middle">${isolate(value(price))}</text></svg>`;
}

const tick = (x: number, y: number, text: string, anchor = 'middle'): Html =>
  html`<text class="tick" x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}">${isolate(text)}</text>`;

/** Adds a margin, so that a constant line is drawn in the middle of the chart. */
function padded(low: number, high: number, share = 0.15): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1];
  const room = (high - low || high || 1) * share;
  return [Math.max(0, low - room), high + room];
}

function horizontal(
  y: { (value: number): number; ticks(count: number): number[] },
  value: (tick: number, step: number) => string,
): Html[] {
  const ticks = y.ticks(4);
  const step = (ticks[1] ?? 1) - (ticks[0] ?? 0);
  return ticks.map(
    (tick) =>
      html`<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/><text class="tick" x="${MARGIN.left - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${isolate(value(tick, step))}</text>`,
  );
}

const frame = (label: string, content: Html): Html =>
  html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}" direction="ltr">${content}</svg>`;
