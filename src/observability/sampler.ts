export interface SamplerOptions {
  intervalMs: number;
  /** Maximum number of lines per kind that are logged in an interval. */
  linesPerKind: number;
  /** Called at the end of an interval for each kind with suppressed lines. */
  report(kind: LineKind, suppressed: number): void;
}

/** Lines with the same kind count as repetitions. */
export interface LineKind {
  level: number;
  message: string;
  code?: string;
  /** Stack frame of an unexpected error, so that frequent errors do not suppress other errors with the same message. */
  origin?: string;
}

/** Maximum number of kinds counted separately in an interval. Other lines are counted together by level. */
const MAX_KINDS = 500;

/** Limits how often similar lines are logged. An interval starts with the first line after the previous one. */
export class LogSampler {
  readonly #options: SamplerOptions;
  readonly #kinds = new Map<string, { kind: LineKind; lines: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Counts a line. @returns whether the line should be logged */
  admits(kind: LineKind): boolean {
    const { level, message, code = '', origin = '' } = kind;
    const own = `${level} ${code} ${message} ${origin}`;
    const isCounted = this.#kinds.has(own) || this.#kinds.size < MAX_KINDS;
    const name = isCounted ? own : String(level);
    const counted = this.#kinds.get(name) ?? { kind: isCounted ? kind : { level, message: 'other lines' }, lines: 0 };
    this.#kinds.set(name, counted);
    counted.lines++;
    this.#timer ??= setTimeout(() => this.flush(), this.#options.intervalMs).unref();
    return counted.lines <= this.#options.linesPerKind;
  }

  /** Ends the interval and reports the suppressed lines. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    for (const { kind, lines } of kinds) {
      const suppressed = lines - this.#options.linesPerKind;
      if (suppressed > 0) this.#options.report(kind, suppressed);
    }
  }
}
