import { SingleBar } from 'cli-progress';

export interface Step {
  stage: string;
  source?: string | null;
  done: number;
  total: number | null;
}

/** Shows a run's progress: a bar on a terminal; otherwise one line per started stage or source. */
export function showProgress(output: NodeJS.WriteStream): { update(step: Step): void; end(): void } {
  let shown = '';
  let bar: SingleBar | null = null;
  const end = (): void => {
    bar?.stop();
    bar = null;
  };
  return {
    end,
    update({ stage, source = null, done, total }) {
      const name = source === null ? stage : `${stage} ${source}`;
      if (name !== shown) {
        end();
        shown = name;
        if (output.isTTY) {
          bar = new SingleBar({
            stream: output,
            format: `${name.padEnd(28)} {bar} {value}/{total}`,
            hideCursor: true,
          });
          bar.start(Math.max(total ?? done, done), done);
        } else {
          output.write(`${name} ...\n`);
        }
      }
      // The fetch stage takes the total from the last complete run; the feed may have grown since.
      bar?.setTotal(Math.max(total ?? done, done));
      bar?.update(done);
    },
  };
}
