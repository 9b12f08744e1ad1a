import { readKey } from './key.ts';
import { pageData } from './page-data.ts';

/** Set by `viewer.js`. */
declare const Scalar: { createApiReference(element: string, configuration: Record<string, unknown>): void };

const { openapi, key } = pageData<{ openapi: string; key: string | null }>();

// What is in it already would be taken for what the viewer itself has drawn.
document.querySelector('#reference')?.replaceChildren();

/** The reference, from the description that the API serves. Nothing is asked of any other host. */
Scalar.createApiReference('#reference', {
  url: openapi,
  layout: 'modern',
  theme: 'none',
  withDefaultFonts: false,
  localization: { locale: document.documentElement.lang, direction: document.documentElement.dir },
  hideDownloadButton: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: readKey(key) } } },
});
