import Table from 'cli-table3';
import type { RunReport, StageReport } from './report.ts';

/** A run's report as tables for a terminal. */
export function reportText(report: RunReport): string {
  const lines = [
    `Run ${report.run} as of ${report.at}${report.resumed ? ', resumed' : ''}: ${report.seconds.toFixed(1)} s`,
    stageTable(report.stages.filter(({ stage }) => stage === 'fetch')),
    stageTable(report.stages.filter(({ stage }) => stage !== 'fetch')),
    `Events: ${counts(report.events) || 'none'}`,
  ];
  for (const [source, reason] of Object.entries(report.held)) {
    lines.push(`Held: ${source}: ${reason} (npm run ingest -- --release ${source})`);
  }
  for (const [source, error] of Object.entries(report.failed)) lines.push(`Failed: ${source}: ${error}`);
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

/** `12 changed, 3 new`; zeros are left out. */
function counts(record: Readonly<Record<string, number | string>>): string {
  return Object.entries(record)
    .filter(([, count]) => count !== 0)
    .map(([name, count]) => (typeof count === 'number' ? `${count} ${name}` : `${name}: ${count}`))
    .join(', ');
}
