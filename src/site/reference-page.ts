import { html } from './html.ts';
import type { Language } from './language.ts';
import { openApiAddress, type Page, type Site } from './page.ts';
import { TEXTS } from './text/index.ts';

/** Returns the API reference page, which the browser renders from the OpenAPI document. */
export function referencePage({ config, demoKey }: Site, language: Language): Page {
  const texts = TEXTS[language];
  return {
    title: texts.reference_title,
    path: '/reference',
    section: 'reference',
    wide: true,
    scripts: ['viewer.js', 'reference.js'],
    data: { openapi: openApiAddress(config, language), key: demoKey },
    policy: REFERENCE_POLICY,
    body: html`<h1 class="visually-hidden">${texts.reference_title}</h1><div id="reference"><noscript><p>${texts.no_script}</p></noscript></div>`,
  };
}

/**
 * The Scalar viewer writes its theme to style elements and attributes. Scripts are as restricted as on all other pages.
 */
const REFERENCE_POLICY = { 'style-src': ["'unsafe-inline'"], 'font-src': ["'self'"] };
