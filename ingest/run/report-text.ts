import Table from 'cli-table3';
import type { StageReport } from './run-report.ts';
import type { RunReport } from './run-state.ts';
import type { SourceReport } from './source-report.ts';

/** Columns that are aligned left, with the width in characters of those that wrap. */
const TEXT_COLUMNS: Readonly<Record<string, number | null>> = {
  stage: null,
  source: null,
  dropped: 34,
  rejected: 34,
  'of which': 44,
  hidden: 44,
  'rarely filled': 44,
};

/** Returns an empty text if there are no rows. */
function tableOf(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const table = new Table({
    head: columns,
    style: { head: [], border: [], compact: true },
    colAligns: columns.map((name) => (name in TEXT_COLUMNS ? 'left' : 'right')),
    colWidths: columns.map((name) => TEXT_COLUMNS[name] ?? null),
    wordWrap: true,
  });
  table.push(...rows.map((row) => Object.values(row)));
  return table.toString();
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

const stageTable = (stages: readonly StageReport[]): string =>
  tableOf(
    stages.map(({ stage, source, kept, dropped, details, seconds }) => ({
      stage,
      source: source ?? '',
      kept,
      dropped: counts(dropped),
      'of which': counts(details),
      seconds: seconds.toFixed(1),
    })),
  );

/** Shows the owner of a new source why ads are visible or hidden. */
export const sourceTable = (sources: readonly SourceReport[]): string =>
  tableOf(
    sources.map(({ source, read, rejected, live, merged, hidden, found }) => {
      const reasons = Object.entries(hidden).filter(([, count]) => count > 0);
      const why = reasons.map(
        ([reason, count]) => `${number.format(count)} of ${number.format(live)} hidden: ${reason.replaceAll('_', ' ')}`,
      );
      return { source, read, rejected: counts(rejected), live, merged, hidden: why.join(', '), found };
    }),
  );

/** Percentage of ads below which a field is listed next to the score. */
const MOSTLY_FILLED_PCT = 80;

const percent = (share: number | null): string => (share === null ? '-' : `${Math.round(share)}%`);

/** Renders the quality of each source's ads, lowest score first. */
export function scoreTable(sources: readonly SourceReport[]): string {
  const scored = sources.filter(({ quality }) => quality.score !== null);
  const sorted = scored.toSorted((a, b) => (a.quality.score ?? 0) - (b.quality.score ?? 0));
  return tableOf(
    sorted.map(({ source, age_days: age, quality: { score, fields, ...parts } }) => {
      const shares = Object.fromEntries(Object.entries(parts).map(([name, share]) => [name, percent(share)]));
      const rare = Object.entries(fields)
        .filter(([, share]) => share !== null && share < MOSTLY_FILLED_PCT)
        .map(([field, share]) => `${field} ${percent(share)}`);
      return { source, score: Math.round(score ?? 0), ...shares, age: `${age} d`, 'rarely filled': rare.join(', ') };
    }),
  );
}

const number = new Intl.NumberFormat('en-US');

function counts(record: Readonly<Record<string, number | string>>): string {
  return Object.entries(record)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => (typeof count === 'number' ? `${count} ${name}` : `${name}: ${count}`))
    .join(', ');
}
