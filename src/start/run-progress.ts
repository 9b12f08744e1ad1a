import { type Progress, STAGES, type Stage } from '#ingest/run/report.ts';
import type { Screen } from './screen.ts';

/** Approximate shares of a run's duration. The last four stages overlap. */
const SHARES: Readonly<Record<Stage, number>> = {
  fetch: 0.25,
  places: 0.01,
  reposts: 0.01,
  photos: 0.04,
  identity: 0.08,
  projects: 0.01,
  quality: 0.04,
  comparison: 0.03,
  index: 0.45,
  history: 0.04,
  deals: 0.03,
  project_index: 0.01,
};

/** Returns the completed share from 0 to 1, which never decreases. */
function shareOfRun(sources: readonly string[]): (progress: Progress) => number {
  let highest = 0;
  return ({ stage, source, done, total }) => {
    const before = STAGES.slice(0, STAGES.indexOf(stage)).reduce((sum, earlier) => sum + SHARES[earlier], 0);
    const within = total ? done / total : 0;
    const part = stage === 'fetch' ? Math.max(sources.indexOf(source ?? ''), 0) / Math.max(sources.length, 1) : within;
    highest = Math.max(highest, before + SHARES[stage] * Math.min(part, 1));
    return highest;
  };
}

/** Shows the progress of a number of ingest runs. */
export function showRuns({ progress }: Screen, what: string, sources: readonly string[], runs = 1) {
  const bar = progress(what, runs);
  let done = 0;
  return {
    async track<T>(run: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T> {
      const share = shareOfRun(sources);
      const result = await run((step) =>
        bar.update(done + share(step), [step.stage, step.source].filter(Boolean).join(' ')),
      );
      bar.update(++done);
      return result;
    },
    end: bar.end,
  };
}
