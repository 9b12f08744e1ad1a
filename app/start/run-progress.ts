import { type Progress, STAGES } from '#ingest/run/run-report.ts';
import type { Screen } from './screen.ts';

/** Shows the progress of a number of ingest runs. */
export function showRuns({ progress }: Screen, what: string, sources: readonly string[], runs = 1) {
  const bar = progress(what, runs);
  let completed = 0;
  return {
    async track<T>(run: (onProgress: (progress: Progress) => void) => Promise<T>): Promise<T> {
      let highest = 0;
      const result = await run(({ stage, source, done, total }) => {
        const [part, of] = stage === 'fetch' ? [sources.indexOf(source ?? ''), sources.length] : [done, total ?? 0];
        const within = of === 0 ? 0 : Math.min(Math.max(part, 0) / of, 1);
        // Stages overlap.
        highest = Math.max(highest, (STAGES.indexOf(stage) + within) / STAGES.length);
        bar.update(completed + highest, [stage, source].filter(Boolean).join(' '));
      });
      bar.update(++completed);
      return result;
    },
    end: bar.end,
  };
}
