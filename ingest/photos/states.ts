import type { CopyOutcome, StoredPhoto } from './copy.ts';

/** `copy` fetches photos that are not stored yet; `check` requests stored photos again. */
export type Task = 'copy' | 'check';

export type PhotoState = { attempts: number; run: number } & (
  | ({ status: 'stored' } & StoredPhoto)
  | { status: 'failed' }
);

export interface Request {
  attempts: number;
  /** The stored photo to check; null for the task `copy`. */
  stored: StoredPhoto | null;
}

export interface Attempt extends Request {
  hash: string;
  outcome: CopyOutcome;
}

export interface Limits {
  run: number;
  maxAttempts: number;
}

/** Returns the request of a task for a URL: at most one per run, and a limited number until a photo is stored. */
export function requestOf(task: Task, state: PhotoState | undefined, { run, maxAttempts }: Limits): Request | null {
  if (state?.run === run) return null;
  if (state?.status === 'stored') return task === 'check' ? { attempts: 1, stored: state } : null;
  const attempts = (state?.attempts ?? 0) + 1;
  return task === 'copy' && attempts <= maxAttempts ? { attempts, stored: null } : null;
}

/** Returns the state after an attempt. A stored photo that is unavailable at the source is kept. */
export function stateAfter({ attempts, stored, outcome }: Attempt, { run, maxAttempts }: Limits): PhotoState {
  if ('key' in outcome) {
    const { key, small, validators } = outcome;
    return { status: 'stored', attempts, run, key, small, validators };
  }
  if (stored === null) {
    const retry = 'retry' in outcome ? outcome.retry : 'attempt';
    const counted = retry === 'final' ? maxAttempts : retry === 'not_attempted' ? attempts - 1 : attempts;
    return { status: 'failed', attempts: counted, run };
  }
  const validators = 'unchanged' in outcome ? outcome.unchanged : stored.validators;
  return { status: 'stored', attempts, run, key: stored.key, small: stored.small, validators };
}

/** Returns the keys that a row with these URLs shows; null for assumed keys, which have no states. */
export function shownPhotos(
  states: readonly (PhotoState | undefined)[],
  maxAttempts: number,
): { keys: string[]; isWaiting: boolean } | null {
  if (states.includes(undefined)) return null;
  const stored = states.filter((state) => state?.status === 'stored');
  const large = stored.filter(({ small }) => !small);
  const keys = new Set((large.length > 0 ? large : stored).map(({ key }) => key));
  return {
    keys: [...keys],
    isWaiting: states.some((state) => state?.status === 'failed' && state.attempts < maxAttempts),
  };
}
