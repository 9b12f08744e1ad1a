import Table from 'cli-table3';
import type { StageReport } from './report.ts';
import type { RunReport } from './run-state.ts';
import type { SourceReport } from './source-report.ts';

/** @param columns alignments or, of columns whose text wraps, widths in characters */
function tableOf(columns: Readonly<Record<string, 'left' | 'right' | number>>): InstanceType<typeof Table> {
  const layouts = Object.values(columns);
  return new Table({
    head: Object.keys(columns),
    style: { head: [], border: [], compact: true },
    colAligns: layouts.map((layout) => (layout === 'right' ? 'right' : 'left')),
    colWidths: layouts.map((layout) => (typeof layout === 'number' ? layout : null)),
    wordWrap: true,
  });
}

export function reportText(report: RunReport): string {
  const lines = [
    `Run ${report.run} as of ${report.at}${report.resumed ? ', resumed' : ''}: ${report.seconds.toFixed(1)} s`,
    stageTable(report.stages.filter(({ stage }) => stage === 'fetch')),
    stageTable(report.stages.filter(({ stage }) => stage !== 'fetch')),
    sourceTable(report.sources),
    scoreTable(report.sources),
    `Events: ${counts(report.events) || 'none'}`,
  ];
  for (const [source, reason] of Object.entries(report.held)) {
    lines.push(`Held: ${source}: ${reason} (npm run ingest -- --release ${source})`);
  }
  for (const [source, error] of Object.entries(report.failed)) lines.push(`Failed: ${source}: ${error}`);
  for (const [source, reason] of Object.entries(report.stale)) lines.push(`Stale: ${source}: ${reason}`);
  return lines.join('\n');
}

function stageTable(stages: readonly StageReport[]): string {
  const table = tableOf({
    stage: 'left',
    source: 'left',
    kept: 'right',
    dropped: 34,
    'of which': 44,
    seconds: 'right',
  });
  for (const { stage, source, kept, dropped, details, seconds } of stages) {
    table.push([stage, source ?? '', String(kept), counts(dropped), counts(details), seconds.toFixed(1)]);
  }
  return table.toString();
}

/** Shows the owner of a new source why ads are visible or hidden. */
export function sourceTable(sources: readonly SourceReport[]): string {
  const numbers = { live: 'right', merged: 'right' } as const;
  const table = tableOf({ source: 'left', read: 'right', rejected: 34, ...numbers, hidden: 44, found: 'right' });
  for (const { source, read, rejected, live, merged, hidden, found } of sources) {
    const why = Object.entries(hidden)
      .filter(([, count]) => count > 0)
      .map(
        ([reason, count]) => `${number.format(count)} of ${number.format(live)} hidden: ${reason.replaceAll('_', ' ')}`,
      );
    table.push([source, String(read), counts(rejected), String(live), String(merged), why.join(', '), String(found)]);
  }
  return table.toString();
}

/** Percentage of ads below which a field is listed next to the score. */
const MOSTLY_FILLED_PCT = 80;

/** Renders the quality of each source's ads, lowest score first. */
export function scoreTable(sources: readonly SourceReport[]): string {
  const numbers = ['score', 'filled', 'accepted', 'visible', 'unique', 'recent', 'age'];
  const aligned = Object.fromEntries(numbers.map((name) => [name, 'right' as const]));
  const table = tableOf({ source: 'left', ...aligned, 'rarely filled': 44 });
  const percent = (share: number | null): string => (share === null ? '-' : `${Math.round(share)}%`);
  const scored = sources.filter(({ quality }) => quality.score !== null);
  for (const { source, age_days: age, quality } of scored.toSorted(
    (a, b) => (a.quality.score ?? 0) - (b.quality.score ?? 0),
  )) {
    const { score, filled, accepted, visible, unique, recent, fields } = quality;
    const rare = Object.entries(fields)
      .filter(([, share]) => share !== null && share < MOSTLY_FILLED_PCT)
      .map(([field, share]) => `${field} ${percent(share)}`);
    const parts = [filled, accepted, visible, unique, recent].map(percent);
    table.push([source, String(Math.round(score ?? 0)), ...parts, `${age} d`, rare.join(', ')]);
  }
  return table.toString();
}

const number = new Intl.NumberFormat('en-US');

function counts(record: Readonly<Record<string, number | string>>): string {
  return Object.entries(record)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => (typeof count === 'number' ? `${count} ${name}` : `${name}: ${count}`))
    .join(', ');
}
