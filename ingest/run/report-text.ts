import Table from 'cli-table3';
import type { RunReport, SourceReport, StageReport } from './report.ts';

/** A run's report as tables for a terminal. */
export function reportText(report: RunReport): string {
  const lines = [
    `Run ${report.run} as of ${report.at}${report.resumed ? ', resumed' : ''}: ${report.seconds.toFixed(1)} s`,
    stageTable(report.stages.filter(({ stage }) => stage === 'fetch')),
    stageTable(report.stages.filter(({ stage }) => stage !== 'fetch')),
    sourceTable(report.sources),
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
  const table = new Table({
    head: ['stage', 'source', 'kept', 'dropped', 'of which', 'seconds'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'left', 'right', 'left', 'left', 'right'],
    colWidths: [null, null, null, 34, 44, null],
    wordWrap: true,
  });
  for (const { stage, source, kept, dropped, details, seconds } of stages) {
    table.push([stage, source ?? '', String(kept), counts(dropped), counts(details), seconds.toFixed(1)]);
  }
  return table.toString();
}

/** What became of the ads of each source: for the owner of a new one, why it is or is not seen. */
export function sourceTable(sources: readonly SourceReport[]): string {
  const table = new Table({
    head: ['source', 'read', 'rejected', 'live', 'merged', 'hidden', 'found'],
    style: { head: [], border: [], compact: true },
    colAligns: ['left', 'right', 'left', 'right', 'right', 'left', 'right'],
    colWidths: [null, null, 34, null, null, 44, null],
    wordWrap: true,
  });
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

const number = new Intl.NumberFormat('en-US');

/** `12 changed, 3 new`; zeros are left out. */
function counts(record: Readonly<Record<string, number | string>>): string {
  return Object.entries(record)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => (typeof count === 'number' ? `${count} ${name}` : `${name}: ${count}`))
    .join(', ');
}
