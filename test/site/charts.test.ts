import { bandChart, barChart, type TimeChart, timeChart } from '#site/server/charts.ts';
import { formatter } from '#site/server/format.ts';
import { test } from '#test/test.ts';

/** Returns the labels of a chart with their horizontal positions. */
const labelsOf = (markup: string, kind = 'tick'): { text: string; x: number }[] =>
  [...markup.matchAll(new RegExp(`<text class="${kind}" x="([\\d.]+)"[^>]*>([^<]+)<`, 'g'))].map(([, x, text]) => ({
    text: text ?? '',
    x: Number(x),
  }));

test('every Arabic chart label is wrapped in Unicode directional isolates', (t) => {
  const { compact, sar } = formatter('ar');
  const label = '';
  const points = [1, 30].map((day) => ({ at: Date.UTC(2026, 10, day), value: day * 1_000, title: '' }));
  const bars = [{ name: '58 ألف', value: 3, title: '' }];
  const band = { low: 40_000, median: 50_000, high: 60_000, price: 58_000 };
  const charts = [
    timeChart({ label, points, value: compact, time: formatter('ar').shortDay }),
    barChart({ label, bars, value: compact }),
    bandChart({ label, ...band, value: sar }),
  ].map(({ markup }) => [...labelsOf(markup), ...labelsOf(markup, 'value')]);
  for (const labels of charts) {
    t.true(labels.length >= 3);
    for (const { text } of labels) t.regex(text, /^\u2068[^\u2068]+\u2069$/);
  }
});

test('labels of the time axis are at least 96 units apart, for intervals of 120 to 1,500 days', (t) => {
  const { month, compact } = formatter('ar');
  const chart: Omit<TimeChart, 'points'> = { label: '', value: compact, time: month };
  for (let days = 120; days < 1_500; days += 7) {
    const points = [0, days].map((day) => ({ at: Date.UTC(2024, 4, 20 + day), value: 1_000, title: '' }));
    const times = labelsOf(timeChart({ ...chart, points }).markup).filter(({ text }) => /20\d\d/.test(text));
    t.true(times.length >= 2, String(days));
    for (const [at, { x }] of times.slice(1).entries()) t.true(x - (times[at]?.x ?? 0) >= 96, String(days));
  }
});
