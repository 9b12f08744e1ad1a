import { type DestinationStream, type Logger, pino } from 'pino';
import { redactKeys } from './redact.ts';

/**
 * The log of a process, as JSON lines. Written behind the requests, and complete when the process exits. Secrets do
 * not get into it: known places are left out by name, and what carries a key, a bearer token or a signature anywhere
 * else (an error's message, a path) is cut out of the line.
 * @param destination for tests; standard output otherwise
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  // Lines go out together, each within half a second: a write for each costs as much as making the line.
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
