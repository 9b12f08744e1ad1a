import { type DestinationStream, type Logger, pino } from 'pino';
import { redactKeys } from './redact.ts';

/**
 * The log of a process, as JSON lines. Writing does not delay requests, and the log is complete when the process exits.
 * It holds no secrets: fields known to carry them are censored by name, and keys, bearer tokens and signatures anywhere
 * else (in an error's message, in a path) are cut out of the line.
 * @param destination for tests; standard output otherwise
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  // Lines are written in groups, within half a second: writing each one alone costs as much as formatting it.
  const out = destination ?? pino.destination({ fd: 1, sync: false, minLength: 8_192, periodicFlush: 500 });
  const options = {
    level,
    base: undefined,
    redact: { paths: SECRET_FIELDS, censor: '[redacted]' },
  };
  return pino(options, { write: (line: string) => out.write(redactSecrets(line)) });
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
