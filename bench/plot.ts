/** Times over rates, in milliseconds and calls per second. */
export interface Series {
  name: string;
  points: readonly (readonly [rate: number, ms: number])[];
}

const [WIDTH, HEIGHT] = [760, 420];
const BOX = { left: 64, right: 600, top: 24, bottom: 372 };
const COLORS = ['#0b62a4', '#7fb3d9', '#b3541e', '#e5a982', '#555'];
const TIMES_MS = [1, 10, 100, 1_000, 10_000];

/** Draws times on a logarithmic scale as an SVG document. */
export function plotTimes(title: string, series: readonly Series[]): string {
  const rates = [...new Set(series.flatMap(({ points }) => points.map(([rate]) => rate)))].sort((a, b) => a - b);
  const most = Math.max(...rates, 1);
  const x = (rate: number): number => Math.round(BOX.left + (rate / most) * (BOX.right - BOX.left));
  const decades = Math.log10(TIMES_MS.at(-1) as number);
  const y = (ms: number): number => {
    const share = Math.min(1, Math.max(0, Math.log10(Math.max(ms, 1)) / decades));
    return Math.round(BOX.bottom - share * (BOX.bottom - BOX.top));
  };
  const text = (at: readonly [number, number], content: string, anchor = 'start'): string =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${content}</text>`;
  const line = ([x1, y1]: readonly [number, number], [x2, y2]: readonly [number, number]): string =>
    `<path d="M${x1} ${y1}L${x2} ${y2}" stroke="#ddd"/>`;
  const rows = TIMES_MS.flatMap((ms) => [
    line([BOX.left, y(ms)], [BOX.right, y(ms)]),
    text([BOX.left - 8, y(ms) + 4], `${ms.toLocaleString('en')} ms`, 'end'),
  ]);
  const columns = rates.map((rate) => text([x(rate), BOX.bottom + 18], String(rate), 'middle'));
  const lines = series.flatMap(({ name, points }, at) => {
    const color = COLORS[at % COLORS.length];
    const path = points.map(([rate, ms], point) => `${point === 0 ? 'M' : 'L'}${x(rate)} ${y(ms)}`).join('');
    return [
      `<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`,
      `<path d="M612 ${40 + at * 20}h20" stroke="${color}" stroke-width="2"/>`,
      text([638, 44 + at * 20], name),
    ];
  });
  const body = [...rows, ...columns, ...lines, text([BOX.left, HEIGHT - 10], title)].join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">\n<title>${title}</title>\n${body}\n</svg>\n`;
}
