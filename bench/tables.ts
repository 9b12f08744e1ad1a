import Table from 'cli-table3';
import type { Figure, PartResult, ResultTable } from './bench.ts';

const style = { head: [], border: [] };

export function renderPart(name: string, { tables, figures, notes }: PartResult): string {
  const parts = [`\n${name}\n${'='.repeat(name.length)}`];
  for (const table of tables) parts.push(renderTable(table));
  if (figures.length > 0) parts.push(renderFigures(figures));
  for (const note of notes) parts.push(`- ${note}`);
  return parts.join('\n\n');
}

function renderTable({ title, head, rows }: ResultTable): string {
  const table = new Table({ head: [...head], style, colAligns: head.map((_, at) => (at === 0 ? 'left' : 'right')) });
  for (const row of rows) table.push(row.map((cell) => (typeof cell === 'number' ? number(cell) : cell)));
  return `${title}\n${table.toString()}`;
}

function renderFigures(figures: readonly Figure[]): string {
  const table = new Table({
    head: ['Figure', 'Value', 'Target', 'Verdict'],
    style,
    colAligns: ['left', 'right', 'right', 'left'],
  });
  for (const figure of figures) {
    table.push([
      figure.name,
      `${number(figure.value)} ${figure.unit}`.trim(),
      targetText(figure),
      verdict(figure) ?? '',
    ]);
  }
  return table.toString();
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
