import cliProgress from 'cli-progress';

/** Terminal output for the operator, separate from the log. */
export interface Screen {
  say(line: string): void;
  step<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** Shows a progress bar. Without a terminal, prints a line for every 10%. */
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
    progress: (what, total) => (stream.isTTY ? bar(stream, what, total) : lines(say, what, total)),
  };
}

function bar(stream: NodeJS.WriteStream, what: string, total: number): Progress {
  const format = `${what} {bar} {percentage}% {detail}`;
  const shown = new cliProgress.SingleBar({ stream, format, hideCursor: true }, cliProgress.Presets.shades_classic);
  shown.start(total, 0, { detail: '' });
  return {
    update: (done, detail = '') => shown.update(Math.min(done, total), { detail }),
    end: () => shown.stop(),
  };
}

function lines(say: (line: string) => void, what: string, total: number): Progress {
  let tenth = 0;
  return {
    update(done, detail = '') {
      const reached = Math.floor((Math.min(done, total) / Math.max(total, 1)) * 10);
      if (reached <= tenth) return;
      tenth = reached;
      say(`${what} ${tenth * 10}% ${detail}`.trimEnd());
    },
    end() {},
  };
}
