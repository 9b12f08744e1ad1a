export function redactKeys(text: string): string {
  return text
    .replace(/svc_(live|admin|test)_[0-9A-Za-z_-]+/g, 'svc_$1_[redacted]')
    .replace(/whsec_[\w+/=-]{8,}/g, 'whsec_[redacted]');
}

/** Parameters that clients use for credentials, although this API reads none from a URL. */
const CREDENTIAL = /^(x-)?(api|access|auth)?[-_]?(key|token|secret|password|authorization|auth|signature|sig)$/i;

/** Redacts known keys, and values of parameters that are named like one. */
export function redactQuery(query: string): string {
  // A `+` that a client has not encoded would be decoded as a space, which ends a key.
  const encoded = query.replace(/whsec_[\w+/=%-]+/g, (key) => key.replaceAll('+', '%2B'));
  const redacted = [...new URLSearchParams(encoded)].map(([name, value]): [string, string] => [
    redactKeys(name),
    CREDENTIAL.test(name) ? '[redacted]' : redactKeys(value),
  ]);
  return new URLSearchParams(redacted).toString();
}

/** Returns true also for a string of the same format that is no key. */
export function containsKey(text: string): boolean {
  return /svc_(live|admin|test)_[0-9A-Za-z]{36}/.test(text);
}
