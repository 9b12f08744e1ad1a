import { type DestinationStream, type Logger, pino } from 'pino';
import { RequestError } from '#domain/errors.ts';
import { codeOf, StoreError } from '#domain/store-error.ts';
import { isStoreUnavailable } from '#postgres/failures.ts';
import { redactKeys } from './redact.ts';
import { type LineKind, LogSampler } from './sampler.ts';

/** Lines of one kind (warnings, errors, failed requests) that are logged in an interval, and its milliseconds. */
const SAMPLING = { intervalMs: 10_000, linesPerKind: 20 };
/** Bytes that wait for a slow reader of standard output. Lines beyond it are dropped. */
const MAX_WAITING_BYTES = 8 * 2 ** 20;
const INFO = 30;
const WARN = 40;

/**
 * The log of a process, as JSON lines. Writing does not delay requests, and the log is complete when the process exits
 * after `flush`. It holds no secrets: fields known to carry them are censored by name, and keys, bearer tokens and
 * signatures anywhere else (in an error's message, in a path) are cut out of the line. Repeats are sampled, so that
 * refusing requests does not fill a disk, unless the level is below `info`.
 * @param destination standard output by default
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  // Lines are written in groups, within half a second: writing each one alone costs as much as formatting it.
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

/**
 * The kind of a line that may be suppressed as a repetition. Null for lines that are always logged, such as successful
 * requests.
 */
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

/** Whether an error is part of normal operation: a refused request, or a store that is unavailable. */
const isExpected = (error: unknown): boolean =>
  error instanceof RequestError
    ? error.code !== 'internal_error' || error.retryAfterS !== undefined
    : isStoreUnavailable(error);

/** An error as the log shows it. The stack of an expected error would only say where it is always thrown. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (!isExpected(error)) return pino.stdSerializers.err(error);
  return { type: error.name, message: error.message, code: codeOf(error) };
}

const SECRET_FIELDS = ['authorization', 'headers', 'key_hash', 'secret', 'password'].flatMap((name) => [
  name,
  `*.${name}`,
]);

/** Cuts keys, bearer tokens, URL passwords and signatures of links out of a text. */
export function redactSecrets(text: string): string {
  return redactKeys(text)
    .replace(/\b(Bearer|Basic)\s+[^\s"\\,]+/gi, '$1 [redacted]')
    .replace(/\b(api_key|X-Amz-Signature|X-Amz-Credential)=[^&\s"\\]+/gi, '$1=[redacted]')
    .replace(/(:\/\/[^\s:@/"\\]*):[^\s@/"\\]+@/g, '$1:[redacted]@');
}
