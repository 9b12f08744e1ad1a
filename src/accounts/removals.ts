import { appendFile, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '#domain/parse-json.ts';

/** Journal of removals in JOURNAL_DIR. Its suffix differs from refund journals, which processes take over. */
export const REMOVALS_FILE = 'removals.log';

const REMOVAL_KINDS = ['key', 'member', 'webhook'] as const;
export type RemovalKind = (typeof REMOVAL_KINDS)[number];

/** A key that was revoked, a member who was removed, or a webhook endpoint that was deleted. */
export interface Removal {
  kind: RemovalKind;
  /** Public id of the key, member or endpoint. */
  id: string;
  /** Time of the removal, ISO 8601. */
  at: string;
}

/**
 * Appends a removal to the journal and syncs it to disk. Called before the transaction of the removal commits, so that
 * a crash cannot leave a removal without an entry. Several processes may append, because a line is one write. Errors
 * are passed to `onError`, not thrown: a full disk must not prevent the revocation of a leaked key.
 */
export async function recordRemoval(
  journalDir: string,
  kind: RemovalKind,
  id: string,
  onError: (error: unknown) => void,
): Promise<void> {
  const removal: Removal = { kind, id, at: new Date().toISOString() };
  try {
    await mkdir(journalDir, { recursive: true, mode: 0o700 });
    // The line break before the entry ends a line that a crash cut.
    await appendFile(join(journalDir, REMOVALS_FILE), `\n${JSON.stringify(removal)}\n`, { mode: 0o600, flush: true });
    const folder = await open(journalDir, 'r');
    await folder.sync().finally(() => folder.close());
  } catch (error) {
    onError(error);
  }
}

/** Returns the removals of one or more journals, each once, oldest first. Incomplete lines are skipped. */
export function parseRemovals(text: string): Removal[] {
  const lines = new Set(text.split('\n').filter(Boolean));
  return [...lines].flatMap((line) => parse(line) ?? []).sort((a, b) => (a.at < b.at ? -1 : 1));
}

function parse(line: string): Removal | undefined {
  const { kind, id, at } = (parseJson(line) ?? {}) as Partial<Removal>;
  const isValid =
    REMOVAL_KINDS.some((each) => each === kind) && typeof id === 'string' && !Number.isNaN(Date.parse(at ?? ''));
  return isValid ? { kind: kind as RemovalKind, id, at: at as string } : undefined;
}

export const formatRemovals = (removals: readonly Removal[]): string =>
  removals.map((removal) => `${JSON.stringify(removal)}\n`).join('');
