/** Replaces every API key and signing secret inside a text, so that no log or row holds one. */
export function redactKeys(text: string): string {
  return text
    .replace(/svc_(live|admin|test)_[0-9A-Za-z_-]+/g, 'svc_$1_[redacted]')
    .replace(/whsec_[0-9A-Za-z_-]{8,}/g, 'whsec_[redacted]');
}

/** Whether an API key, or what looks like one, is inside a text. */
export function containsKey(text: string): boolean {
  return /svc_(live|admin|test)_[0-9A-Za-z]{36}/.test(text);
}
