import { Html, html } from '#documents/html.ts';
import { LANGUAGES, type Language, pathIn } from '#documents/language.ts';
import { TEXTS } from '#site/text/index.ts';
import type { Config } from '#src/config.ts';

interface SharedPage {
  title: string;
  /** Defaults to the first paragraph after the title. */
  description?: string;
  path: string;
  body: Html;
  structured?: readonly object[];
}

type Named = Pick<Config, 'serviceName' | 'siteUrl'>;

/** Size of preview images in pixels, which social networks recommend. */
export const PREVIEW = { width: 1200, height: 630 } as const;
/** Search engines show about this many characters of a description. */
const MAX_DESCRIPTION = 200;
const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', ar: 'ar_SA' };

const previewPath = (language: Language, path: string): string =>
  `/previews/${language}${path === '/' ? '' : path}.jpg`;

export function headTags({ siteUrl, serviceName }: Named, language: Language, page: SharedPage): Html {
  const { path, structured = [] } = page;
  const address = (each: Language): string => `${siteUrl}${pathIn(each, path)}`;
  const description = descriptionOf(language, page);
  const properties: Readonly<Record<string, string | number>> = {
    'og:site_name': serviceName,
    'og:type': 'website',
    'og:title': page.title,
    'og:description': description,
    'og:url': address(language),
    'og:locale': LOCALES[language],
    'og:locale:alternate': LOCALES[language === 'en' ? 'ar' : 'en'],
    'og:image': `${siteUrl}${previewPath(language, path)}`,
    'og:image:type': 'image/jpeg',
    'og:image:width': PREVIEW.width,
    'og:image:height': PREVIEW.height,
    'og:image:alt': page.title,
  };
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${address(language)}">
${LANGUAGES.map((each) => html`<link rel="alternate" hreflang="${each}" href="${address(each)}">`)}<link rel="alternate" hreflang="x-default" href="${address('en')}">
${Object.entries(properties).map(([name, value]) => html`<meta property="${name}" content="${value}">`)}<meta name="twitter:card" content="summary_large_image">
${structured.map((each) => jsonBlock('application/ld+json', { '@context': 'https://schema.org', ...each }))}`;
}

export function descriptionOf(language: Language, { description, path, body }: Omit<SharedPage, 'title'>): string {
  const texts = TEXTS[language];
  const stated =
    description ?? { '/explorer': texts.next_step_explorer, '/reference': texts.next_step_reference }[path];
  const text = stated ?? textOf(/<\/h1>[\s\S]*?(<p[ >][\s\S]*?<\/p>)/.exec(body.markup)?.[1] ?? texts.home_lead);
  return shortened(text.replace(/\s+/g, ' ').trim(), MAX_DESCRIPTION);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** @param gap replaces each tag, so that the words of two elements stay apart */
export const textOf = (markup: string, gap = ''): string =>
  markup
    .replace(/<[^>]*>/g, gap)
    .replace(/&(?:#(\d+)|(\w+));/g, (all, code: string | undefined, name: string) =>
      code === undefined ? (NAMED[name] ?? all) : String.fromCharCode(Number(code)),
    )
    .replace(/\s+/g, ' ')
    .trim();

/** Shortens a text after a word to about `length` characters. Pure. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).replace(/[\s\p{P}]+\S*$/u, '')}…`;

/** Embeds JSON as a data block. `<` is escaped, so that no value can close the script element. Pure. */
export const jsonBlock = (type: string, data: unknown, id?: string): Html =>
  new Html(
    `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  );
