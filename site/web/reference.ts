import { createApiReference } from '@scalar/api-reference';
import { readKey } from './key.ts';
import { pageData } from './page-data.ts';

const { openapi, key } = pageData<{ openapi: string; key: string | null }>();

/** The reference, from the description that the API serves. Nothing is asked of any other host. */
createApiReference('#reference', {
  url: openapi,
  layout: 'modern',
  theme: 'none',
  withDefaultFonts: false,
  hideDownloadButton: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: readKey(key) } } },
});
