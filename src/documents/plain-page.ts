import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import { Html, html } from './html.ts';
import { directionOf, LANGUAGES, type Language, pathIn } from './language.ts';
import { send } from './send-document.ts';

/** Responses of the API link to it. The site adds its menu. */
export interface DocumentPage {
  title: string;
  /** Path without the language prefix. */
  path: string;
  feed?: string;
  body: Html;
}

const STYLE = `
body { font: 1rem/1.6 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b1b1b }
pre { background: #f4f4f4; padding: .75rem; overflow: auto }
nav li { display: inline-block; margin-inline-end: 1rem }
`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** For installations without the site: no menu, scripts or other files. */
export function sendPlainPage(context: Context, language: Language, { title, path, feed, body }: DocumentPage): void {
  const others = LANGUAGES.filter((each) => each !== language);
  const { markup } = html`<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${others.map((each) => html`<link rel="alternate" hreflang="${each}" href="${pathIn(each, path)}">`)}
${feed === undefined ? null : html`<link rel="alternate" type="application/atom+xml" href="${feed}">`}
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  send(context, 'text/html', `<!doctype html>\n${markup}`);
  context.set('Content-Language', language);
  context.set('Content-Security-Policy', POLICY);
  context.set('Referrer-Policy', 'no-referrer');
  context.remove('Access-Control-Allow-Origin');
  context.remove('Access-Control-Expose-Headers');
}
