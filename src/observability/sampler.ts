export interface SamplerOptions {
  intervalMs: number;
  /** Lines of one kind that are logged in an interval. */
  linesPerKind: number;
  /** Receives each kind of which lines were suppressed, at the end of the interval. */
  report(kind: LineKind, suppressed: number): void;
}

/** Lines that count as repeats of each other. */
export interface LineKind {
  level: number;
  message: string;
  code?: string;
  /** Where an unexpected error was thrown, so that a frequent error does not hide another with the same message. */
  origin?: string;
}

/** Kinds that are counted apart in an interval. All further ones of a level are counted together. */
const MAX_KINDS = 500;

/** Limits how often similar lines are logged. Each interval starts with the first line after the one before. */
export class LogSampler {
  readonly #options: SamplerOptions;
  readonly #kinds = new Map<string, { kind: LineKind; lines: number }>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Counts a line. @returns whether to log it */
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

  /** Ends the interval: reports suppressed lines. */
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
