import { html } from './html.ts';
import type { Language } from './language.ts';
import type { Page, Site } from './page.ts';
import { TEXTS } from './text/index.ts';

/** The reference of every operation, made in the browser from the OpenAPI description. */
export function referencePage({ config, demoKey }: Site, language: Language): Page {
  const texts = TEXTS[language];
  return {
    title: texts.reference_title,
    path: '/reference',
    section: 'reference',
    wide: true,
    scripts: ['reference.js'],
    styles: ['reference.css'],
    data: { openapi: `${config.baseUrl}/openapi.json`, key: demoKey },
    policy: REFERENCE_POLICY,
    body: html`<h1 class="visually-hidden">${texts.reference_title}</h1>${language === 'ar' ? html`<p class="note reference-note">${texts.reference_lead}</p>` : null}<div id="reference" dir="ltr"><noscript><p>${texts.no_script}</p></noscript></div>`,
  };
}

/** Scalar's viewer writes its theme into style elements and style attributes; scripts stay as strict as on every page. */
const REFERENCE_POLICY = { 'style-src': ["'unsafe-inline'"], 'font-src': ["'self'"] };
