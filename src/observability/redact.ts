/** Redacts API keys and signing secrets in a text, so that logs and tables contain none. */
export function redactKeys(text: string): string {
  return text
    .replace(/svc_(live|admin|test)_[0-9A-Za-z_-]+/g, 'svc_$1_[redacted]')
    .replace(/whsec_[0-9A-Za-z_-]{8,}/g, 'whsec_[redacted]');
}

/** Returns whether a text contains an API key or a string of the same format. */
export function containsKey(text: string): boolean {
  return /svc_(live|admin|test)_[0-9A-Za-z]{36}/.test(text);
}
