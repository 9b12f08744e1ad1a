import { type DestinationStream, type Logger, pino } from 'pino';
import { RequestError } from '#domain/errors.ts';
import { codeOf, StoreError } from '#domain/store-error.ts';
import { isStoreUnavailable } from '#stores/postgres/postgres-failures.ts';
import { redactKeys } from './redact.ts';

/** Lines of a kind logged in an interval: of warnings, errors and failed requests. */
const LINES_PER_KIND = 20;
const INTERVAL_MS = 10_000;
/** Bytes buffered for a slow reader of standard output. More lines are dropped. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;
const INFO = 30;
const WARN = 40;

/**
 * Creates a logger of JSON lines, which does not delay requests. Call `flush` before the process exits. Secrets are
 * redacted. Unless the level is below `info`, similar lines are sampled, so that refused requests cannot fill the disk.
 * @param destination standard output by default
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  // Writing each line separately takes as long as formatting it.
  const out =
    destination ??
    pino.destination({ fd: 1, sync: false, minLength: 8_192, maxLength: MAX_WAITING_BYTES, periodicFlush: 500 });
  let isSampling = (pino.levels.values[level] ?? INFO) >= INFO;
  const sampler = new LogSampler(({ level, message, code }, suppressed) => {
    isSampling = false;
    const method = level > WARN ? 'error' : level === WARN ? 'warn' : 'info';
    logger[method]({ of: message, code, suppressed }, 'similar lines suppressed');
    isSampling = true;
  });
  const stream = {
    write: (line: string) => out.write(redactSecrets(line)),
    flush: (done?: () => void) => {
      sampler.flush();
      done?.();
    },
  };
  const logger = pino(
    {
      level,
      base: undefined,
      redact: { paths: SECRET_FIELDS, censor: '[redacted]' },
      serializers: { err: describeError },
      hooks: {
        logMethod(args, method, level) {
          const kind = isSampling ? kindOf(args, level) : null;
          if (kind === null || sampler.admits(kind)) method.apply(this, args);
        },
      },
    },
    stream,
  );
  return logger;
}

/** Returns null for lines that are always logged, as of successful requests. */
function kindOf([fields, text]: readonly unknown[], level: number): LineKind | null {
  if (typeof fields !== 'object' || fields === null) return level < WARN ? null : { level, message: String(fields) };
  const { code, err } = fields as { code?: unknown; err?: unknown };
  if (level < WARN && typeof code !== 'string') return null;
  const message = String(text);
  if (typeof code === 'string') return { level, message, code };
  if (!(err instanceof Error)) return { level, message };
  if (!isExpected(err)) return { level, message, code: err.name, origin: err.stack?.split('\n    at ', 2)[1] };
  return { level, message, code: err instanceof StoreError ? err.store : codeOf(err) };
}

/** A refused request or an unavailable datastore. */
const isExpected = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.code !== 'internal_error' || error.retryAfterS !== undefined
    : isStoreUnavailable(error);

/** Omits the stack trace of an expected error, which is always the same. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!isExpected(error)) return pino.stdSerializers.err(error);
  return { type: error.name, message: error.message, code: codeOf(error) };
}

const SECRET_FIELDS = ['authorization', 'headers', 'key_hash', 'secret', 'password'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** Redacts keys, bearer tokens, passwords in URLs and link signatures in a text. */
export function redactSecrets(text: string): string {
  return redactKeys(text)
    .replace(/\b(Bearer|Basic)\s+[^\s"\\,]+/gi, '$1 [redacted]')
    .replace(/\b(api_key|X-Amz-Signature|X-Amz-Credential)=[^&\s"\\]+/gi, '$1=[redacted]')
    .replace(/(:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/g, '$1:[redacted]@');
}

/** Lines with the same kind count as repetitions. */
interface LineKind {
  level: number;
  message: string;
  code?: string;
  /** Stack frame of an unexpected error, so that different errors with one message are logged. */
  origin?: string;
}

/** Kinds counted separately. Other lines are counted together by level. */
const MAX_KINDS = 500;

/** An interval starts with the first line after the previous one. */
class LogSampler {
  readonly #report: (kind: LineKind, suppressed: number) => void;
  readonly #kinds = new Map<string, { kind: LineKind; lines: number }>();
  #timer: NodeJS.Timeout | null = null;

  /** @param report called at the end of an interval for each kind with suppressed lines */
  constructor(report: (kind: LineKind, suppressed: number) => void) {
    this.#report = report;
  }

  /** @returns whether the line should be logged */
  admits(kind: LineKind): boolean {
    const { level, message, code = '', origin = '' } = kind;
    const own = `${level} ${code} ${message} ${origin}`;
    const isCounted = this.#kinds.has(own) || this.#kinds.size < MAX_KINDS;
    const name = isCounted ? own : String(level);
    const counted = this.#kinds.get(name) ?? { kind: isCounted ? kind : { level, message: 'other lines' }, lines: 0 };
    this.#kinds.set(name, counted);
    counted.lines++;
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS).unref();
    return counted.lines <= LINES_PER_KIND;
  }

  /** Ends the interval and reports the suppressed lines. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const kinds = [...this.#kinds.values()];
    this.#kinds.clear();
    for (const { kind, lines } of kinds) {
      const suppressed = lines - LINES_PER_KIND;
      if (suppressed > 0) this.#report(kind, suppressed);
    }
  }
}
