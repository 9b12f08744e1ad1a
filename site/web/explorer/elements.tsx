import type { Html } from '#src/documents/html.ts';
import type { LoadState } from './api-requests.ts';
import { Failed } from './failed.tsx';
import { texts } from './page-data.ts';

/** What server and browser render alike. Every value in the markup is escaped. */
export const Markup = ({ of }: { of: Html }) => <div dangerouslySetInnerHTML={{ __html: of.markup }} />;

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
