import { type DestinationStream, type Logger, pino } from 'pino';
import { RequestError } from '#domain/errors.ts';
import { codeOf, StoreError } from '#domain/store-error.ts';
import { isStoreUnavailable } from '#postgres/failures.ts';
import { redactKeys } from './redact.ts';
import { type LineKind, LogSampler } from './sampler.ts';

/** Maximum number of lines per kind that are logged in an interval. Applies to warnings, errors and failed requests. */
const SAMPLING = { intervalMs: 10_000, linesPerKind: 20 };
/** Maximum number of bytes buffered for a slow reader of standard output. Additional lines are dropped. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;
const INFO = 30;
const WARN = 40;

/**
 * Creates the logger of a process, which writes JSON lines. Writing does not delay requests. To make the log complete,
 * call `flush` before the process exits. Fields that hold secrets are redacted by name. Keys, bearer tokens, passwords
 * in URLs and link signatures are redacted in every line. Unless the level is below `info`, similar lines are sampled,
 * so that refused requests cannot fill the disk.
 * @param destination standard output by default
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  // Lines are buffered for up to half a second, because writing each line separately takes as long as formatting it.
  const out =
    destination ??
    pino.destination({ fd: 1, sync: false, minLength: 8_192, maxLength: MAX_WAITING_BYTES, periodicFlush: 500 });
  let isSampling = (pino.levels.values[level] ?? INFO) >= INFO;
  const sampler = new LogSampler({
    ...SAMPLING,
    report: ({ level, message, code }, suppressed) => {
      isSampling = false;
      const method = level > WARN ? 'error' : level === WARN ? 'warn' : 'info';
      logger[method]({ of: message, code, suppressed }, 'similar lines suppressed');
      isSampling = true;
    },
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

/** Returns the kind of a line for sampling, or null for lines that are always logged, as of successful requests. */
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

/** Returns whether an error is expected in normal operation: a refused request or an unavailable datastore. */
const isExpected = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.code !== 'internal_error' || error.retryAfterS !== undefined
    : isStoreUnavailable(error);

/** Formats an error for the log. The stack trace of an expected error is omitted, because it is always the same. */
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
