import Table from 'cli-table3';
import type { Figure, PartResult, ResultTable } from './bench.ts';

export function renderPart(name: string, { tables, figures, notes }: PartResult): string {
  const rows = figures.map((figure) => [
    figure.name,
    `${number(figure.value)} ${figure.unit}`.trim(),
    targetText(figure),
    verdict(figure) ?? '',
  ]);
  const summary: ResultTable = { title: 'Figures', head: ['Figure', 'Value', 'Target', 'Verdict'], rows };
  return [
    `\n${name}\n${'='.repeat(name.length)}`,
    ...[...tables, summary].map(renderTable),
    ...notes.map((note) => `- ${note}`),
  ].join('\n\n');
}

function renderTable({ title, head, rows }: ResultTable): string {
  const style = { head: [], border: [] };
  const table = new Table({ head: [...head], style, colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')) });
  for (const row of rows) table.push(row.map((cell) => (typeof cell === 'number' ? number(cell) : cell)));
  return `${title}\n${table.toString()}`;
}

/** Returns whether a figure meets its target; null if it has none. */
export function verdict({ value, target }: Figure): 'met' | 'missed' | null {
  if (!target) return null;
  const met = 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
  return met ? 'met' : 'missed';
}

function targetText({ target }: Figure): string {
  if (!target) return '';
  return 'atLeast' in target ? `>= ${number(target.atLeast)}` : `<= ${number(target.atMost)}`;
}

/** Rounds to three significant digits. */
function number(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
  return Number(value.toPrecision(3)).toString();
}
