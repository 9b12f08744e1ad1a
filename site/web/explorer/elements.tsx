import type { ComponentChildren } from 'preact';
import type { Html } from '#src/documents/html.ts';
import type { LoadState } from './api-requests.ts';
import { Failed } from './failed.tsx';
import { format, texts } from './page-data.ts';

/** The markup is escaped. */
export const Chart = ({ chart }: { chart: Html }) => <div dangerouslySetInnerHTML={{ __html: chart.markup }} />;

interface TableRow {
  key: string | number;
  cells: readonly ComponentChildren[];
  isChosen?: boolean;
}

/** Scrolls sideways on a phone. The focus lets the keyboard scroll it. */
export const Table = ({
  kind,
  columns,
  rows,
}: {
  kind?: string;
  columns: readonly string[];
  rows: readonly TableRow[];
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
  <div class="wide" tabIndex={0}>
    <table class={kind}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells, isChosen }) => (
          <tr key={key} class={isChosen ? 'chosen' : undefined}>
            {cells.map((cell, at) =>
              kind === 'ranking' && at === 0 ? (
                <th key={columns[at]} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={columns[at]}>{cell}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

export function Waiting({ loaded: { error, loading } }: { loaded: LoadState<unknown> }) {
  if (error !== null) return <Failed error={error} />;
  return loading ? <Bones of="statistics" /> : null;
}

export const Bones = ({ of }: { of: 'cards' | 'statistics' }) => (
  <>
    <p class="visually-hidden" role="status">
      {texts.loading}
    </p>
    <div class={`bones of-${of}`} aria-hidden="true">
      {Array.from({ length: 6 }, (_, at) => (
        <span key={at} />
      ))}
    </div>
  </>
);

export const amountOr = (value: number | null, missing = '–'): string =>
  value === null ? missing : format.sar(Math.round(value));

export const numberOr = (value: number | null): string => (value === null ? '–' : format.number(Math.round(value)));
