import { ERRORS } from '../http/errors.ts';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/`([^`]+)`/g, '<code>$1</code>');

/** What `doc_url` of an error points at: every code, its status and what to do. Pure. */
export function errorDocsPage(serviceName: string): string {
  const entries = Object.entries(ERRORS).map(
    ([code, { status, type, message }]) =>
      `<section id="${code}"><h2>${code}</h2><p class="kind">${status} &middot; ${type}</p><p>${escape(message)}</p><p>${advice(status)}</p></section>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Errors - ${escape(serviceName)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b}
h2{font:600 1.1rem ui-monospace,monospace;margin:0}section{padding:1rem;border-top:1px solid #ddd}
section:target{background:#fff8d6}.kind{color:#666;margin:.2rem 0}p{margin:.4rem 0}code{background:#f2f2f2;padding:0 .2rem}</style>
<h1>Errors</h1><p>Branch on <code>code</code>: codes are never renamed, and new ones may be added. Quote <code>request_id</code> when you ask for help.</p>
${entries.join('\n')}</html>`;
}

function advice(status: number): string {
  if (status === 409) return 'Change the request before sending it again.';
  if (status === 429) return 'Send it again after the seconds in Retry-After.';
  if (status >= 500) return 'Send it again, waiting longer each time.';
  return 'Sending the same request again gives the same answer.';
}
