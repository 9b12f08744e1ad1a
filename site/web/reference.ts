import { readKey } from './key.ts';
import { pageData } from './page-data.ts';

/** Global variable that `viewer.js` sets. */
declare const Scalar: { createApiReference(element: string, configuration: Record<string, unknown>): void };

const { openapi, key } = pageData<{ openapi: string; key: string | null }>();

// The viewer would mistake existing content for its own output.
document.querySelector('#reference')?.replaceChildren();

/** Renders the reference from the OpenAPI document of the API, without requests to other hosts. */
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
