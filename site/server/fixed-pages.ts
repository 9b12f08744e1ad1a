import { LANGUAGES, type Language } from '#src/documents/language.ts';
import { documentPages } from '#src/documents/serve-documents.ts';
import { inArabic } from '#src/openapi/arabic/translate.ts';
import type { Json } from '#src/openapi/schemas.ts';
import { authDocument } from './auth-document.ts';
import { type EnumNames, explorerOperations, explorerPage } from './explorer-page.ts';
import { SEARCH_INDEX } from './guide-menu.ts';
import { guidePages, llmsText } from './guide-pages.ts';
import type { Page, Site } from './page.ts';
import { referencePages } from './reference-page.ts';
import { searchIndexes } from './search-index.ts';

/** Renders all pages and documents whose content is fixed in a release. */
export async function renderFixed(site: Site) {
  const { api, config } = site;
  const english = await api.body<Json>('/v1/openapi.json');
  if (english === null) throw new Error('the API has no OpenAPI document');
  const enums = await api.data<{ names: EnumNames }>('/v1/enums');
  const openApi = { en: english, ar: inArabic(english) };
  const guides = { en: guidePages(site, 'en'), ar: guidePages(site, 'ar') };
  const texts = new Map<string, { type: string; text: string }>([
    // The English document is served by the API.
    ['ar /openapi.json', { type: 'application/json', text: JSON.stringify(openApi.ar) }],
    ['en /auth.md', { type: 'text/markdown', text: authDocument(config) }],
    ['en /llms.txt', { type: 'text/plain', text: llmsText(config, guides.en.documents) }],
    [
      'en /llms-full.txt',
      { type: 'text/plain', text: guides.en.documents.map(({ text }) => text.trim()).join('\n\n') },
    ],
  ]);
  const indexes = searchIndexes({ en: guides.en.topics, ar: guides.ar.topics }, openApi);
  for (const language of LANGUAGES) {
    texts.set(`${language} ${SEARCH_INDEX}`, { type: 'application/json', text: indexes[language] });
    for (const { path, text } of guides[language].documents)
      texts.set(`${language} ${path}`, { type: 'text/markdown', text });
  }
  return {
    pages: fixedPages(site, openApi, guides, enums?.names ?? {}),
    documents: new Map([...texts].map(([path, { type, text }]) => [path, { type, text: Buffer.from(text) }])),
    operations: explorerOperations(english),
    menus: { en: guides.en.menu, ar: guides.ar.menu },
  };
}

function fixedPages(
  site: Site,
  openApi: Readonly<Record<Language, Json>>,
  guides: Readonly<Record<Language, ReturnType<typeof guidePages>>>,
  names: EnumNames,
): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const language of LANGUAGES) {
    const { pages: own, menu } = guides[language];
    const all = [
      ...own,
      ...documentPages(site.config.siteUrl, language).map(menu.addTo),
      explorerPage(site, language, openApi[language], names),
      ...referencePages(site, language, openApi[language]),
    ];
    for (const page of all) pages.set(`${language} ${page.path}`, page);
  }
  return pages;
}
