import cliProgress from 'cli-progress';

/** Milliseconds between lines of progress without a terminal. */
const LINE_EVERY_MS = 5_000;

/** Terminal output for the operator, separate from the log. */
export interface Screen {
  say(line: string): void;
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  progress(what: string, total: number): Progress;
}

export interface Progress {
  update(done: number, detail?: string): void;
  end(): void;
}

/** Shows nothing, for output that scripts read. */
export const SILENT: Screen = {
  say() {},
  step: (_, work) => work(),
  progress: () => ({ update() {}, end() {} }),
};

export function openScreen(stream: NodeJS.WriteStream = process.stdout): Screen {
  const say = (line: string): void => {
    stream.write(`${line}\n`);
  };
  return {
    say,
    async step(what, work) {
      say(`${what} ...`);
      const begun = Date.now();
      const result = await work();
      say(`  done in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
      return result;
    },
    progress(what, total) {
      const format = `${what} {bar} {percentage}% {detail}`;
      const options = { stream, format, hideCursor: true, noTTYOutput: true, notTTYSchedule: LINE_EVERY_MS };
      const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
      bar.start(total, 0, { detail: '' });
      return {
        update: (done, detail = '') => bar.update(Math.min(done, total), { detail }),
        end: () => bar.stop(),
      };
    },
  };
}
