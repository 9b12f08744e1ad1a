import type { Context } from 'koa';
import type { Downloads } from '#domain/process/downloads.ts';
import { CONSOLE_TEXTS, SERVICE_TEXTS, SIGN_IN_TEXTS, TEXTS } from '#site/text/index.ts';
import type { Config } from '#src/config.ts';
import { Html, html } from '#src/documents/html.ts';
import { directionOf, LANGUAGES, type Language, pathIn } from '#src/documents/language.ts';
import { hideFromScripts } from '#src/documents/send-document.ts';
import type { Oauth } from '#src/oauth/oauth.ts';
import type { SignIn } from '#src/sign-in/sign-in.ts';
import type { SiteData } from '#src/site-data/site-data.ts';
import type { Api } from './api-client.ts';
import type { Assets } from './assets.ts';
import type { PlaceData } from './place-data.ts';
import type { Visitors } from './visitors.ts';

export interface Page {
  title: string;
  /** Description for search engines and link previews. Defaults to the first paragraph after the title. */
  description?: string;
  structured?: readonly object[];
  body: Html;
  /** Canonical path without the language prefix, for the link to the other language, too. Null omits the link. */
  path: string | null;
  section?: Section;
  status?: number;
  scripts?: readonly string[];
  /** Addresses of scripts that are used later, for browsers to load when nothing else is. */
  later?: readonly string[];
  styles?: readonly string[];
  feed?: string;
  data?: unknown;
  wide?: boolean;
  /** Whether scripts of the page call the API without a key. */
  hasSession?: boolean;
  headers?: Readonly<Record<string, string>>;
  /** For one person. Search engines and link previews receive nothing. */
  isPrivate?: boolean;
  /** Whether the header leads to the console instead of the sign-in. */
  isSignedIn?: boolean;
}

const SECTIONS = ['explorer', 'reference', 'guides', 'pricing'] as const;
type Section = (typeof SECTIONS)[number];

export interface Site {
  config: Pick<
    Config,
    | 'serviceName'
    | 'siteUrl'
    | 'baseUrl'
    | 'cdnUrl'
    | 'contactUrl'
    | 'termsUrl'
    | 'privacyUrl'
    | 'hasSelfService'
    | 'hasInbox'
    | 'mail'
    | 'mapTilesFile'
    | 'webhookSourceAddresses'
  >;
  assets: Assets;
  downloads: Downloads;
  demoKey: string | null;
  api: Api;
  visitors: Pick<Visitors, 'issue'>;
  signIn: SignIn;
  /** Null if another process serves the API. */
  oauth: Oauth | null;
  data: SiteData;
  places: PlaceData;
  clock: { now(): number };
}

export const openApiAddress = ({ baseUrl }: Pick<Config, 'baseUrl'>, language: Language): string =>
  language === 'en' ? `${baseUrl}/openapi.json` : pathIn(language, '/openapi.json');

/** Returns a link for visitors without a key: to the sign-up, the contact, or the page about keys. Pure. */
export const keyRequest = (config: Pick<Config, 'contactUrl' | 'hasSelfService'>, language: Language): Html => {
  const { no_key_yet, request_key } = TEXTS[language];
  return html` ${no_key_yet} <a href="${keyAddress(config, language)}">${request_key}</a>`;
};

const keyAddress = (
  { contactUrl, hasSelfService }: Pick<Config, 'contactUrl' | 'hasSelfService'>,
  language: Language,
) => (hasSelfService ? pathIn(language, '/sign-up') : (contactUrl ?? `${pathIn(language, '/pricing')}#key`));

function renderPage({ config, assets }: Site, language: Language, page: Page): string {
  const texts = TEXTS[language];
  const service = SERVICE_TEXTS[language];
  const link = (path: string): string => pathIn(language, path);
  const styles = ['site.css', ...(page.styles ?? [])].flatMap((name) => assets.address(name) ?? []);
  const names = ['site.js', ...(page.scripts ?? [])];
  const scripts = names.flatMap((name) => assets.address(name) ?? []);
  const menu = SECTIONS.map(
    (section) =>
      html`<li><a href="${link(`/${section}`)}"${new Html(page.section === section ? ' aria-current="page"' : '')}>${texts[section]}</a></li>`,
  );
  const other = LANGUAGES.find((each) => each !== language) ?? 'en';
  return `<!doctype html>
${
  html`<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${headTitle(page.title, config.serviceName)}</title>
${page.path === null || page.isPrivate ? null : (page.status ?? 200) === 200 ? headTags(config, language, { ...page, path: page.path }) : alternates(config, page.path)}
${page.feed === undefined ? null : html`<link rel="alternate" type="application/atom+xml" title="${page.title}" href="${page.feed}">`}
${assets.fontsOf(language).map((href) => html`<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}">`)}
${styles.map((href) => html`<link rel="stylesheet" href="${href}">`)}
<link rel="icon" href="${assets.address('icon.svg') ?? 'data:,'}">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}
${names.flatMap(assets.importsOf).map((href) => html`<link rel="modulepreload" href="${href}">`)}
${(page.later ?? []).map((href) => html`<link rel="modulepreload" href="${href}" fetchpriority="low">`)}
</head>
<body data-copy="${texts.copy}" data-copied="${texts.copied}">
<a class="skip" href="#main">${texts.skip}</a>
<header class="top">
<a class="brand" href="${link('/')}">${config.serviceName}</a>
${page.isSignedIn ? html`<a class="person" href="${link('/console')}">${CONSOLE_TEXTS[language].console}</a>` : html`<a class="person" href="${link('/sign-in')}">${SIGN_IN_TEXTS[language].sign_in}</a>`}
<nav aria-label="${texts.main_menu}"><ul>${menu}${page.path !== null && html`<li><a class="language" href="${pathIn(other, page.path)}" lang="${other}" hreflang="${other}">${NAMES[other]}</a></li>`}</ul></nav>
</header>
<main id="main"${new Html(page.wide ? ' class="full"' : '')}>
${page.body}
</main>
<footer>
<p>${texts.credit} <a href="${link('/')}">${config.serviceName}</a>. ${texts.disclaimer}</p>
<ul><li><a href="${link('/pricing')}#key">${service.get_key}</a></li><li><a href="${link('/guides/data-use')}">${texts.terms}</a></li><li><a href="${link('/coverage')}">${service.coverage}</a></li><li><a href="${link('/accuracy')}">${service.accuracy}</a></li><li><a href="${link('/status')}">${service.status}</a></li><li><a href="${link('/docs/errors')}">${texts.errors}</a></li><li><a href="${link('/changelog')}">${texts.changelog}</a></li><li><a href="${openApiAddress(config, language)}">${texts.openapi}</a></li>${outer(config.termsUrl, SIGN_IN_TEXTS[language].terms_link)}${outer(config.privacyUrl, SIGN_IN_TEXTS[language].privacy_link)}${outer(config.contactUrl, texts.contact)}</ul>
</footer>
${page.data === undefined ? null : jsonBlock('application/json', page.data, 'data')}
</body>
</html>
`.markup
}`;
}

/** A link that the operator has set. */
const outer = (href: string | null, text: string): Html | null =>
  href === null ? null : html`<li><a href="${href}">${text}</a></li>`;

const NAMES: Readonly<Record<Language, string>> = { en: 'English', ar: 'العربية' };

/** Allows files of the site, photos and API responses, but no inline scripts or styles. */
export function policyOf({ siteUrl, baseUrl, cdnUrl }: Site['config'], formAction: readonly string[] = []): string {
  const origins = (...urls: string[]): string[] => [
    ...new Set(urls.map((url) => new URL(url).origin).filter((origin) => origin !== new URL(siteUrl).origin)),
  ];
  const policy = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'worker-src': ["'self'"],
    'style-src': ["'self'"],
    'font-src': ["'self'"],
    'img-src': ["'self'", 'data:', ...origins(cdnUrl)],
    'connect-src': ["'self'", ...origins(baseUrl)],
    'base-uri': ["'none'"],
    'form-action': ["'self'", ...formAction],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ');
}

export function sendPage(context: Context, site: Site, language: Language, page: Page): void {
  const status = page.status ?? 200;
  context.status = status;
  context.set('Content-Type', 'text/html; charset=utf-8');
  context.set('Content-Language', language);
  context.set('Content-Security-Policy', policyOf(site.config));
  context.set('X-Frame-Options', 'DENY');
  context.set('Referrer-Policy', 'no-referrer');
  context.set('Cross-Origin-Opener-Policy', 'same-origin');
  context.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
  hideFromScripts(context);
  if (status === 200) context.set('Cache-Control', `${page.hasSession ? 'private' : 'public'}, max-age=300`);
  if (status === 200 && page.hasSession) site.visitors.issue(context);
  if (status !== 200) context.set('X-Robots-Tag', 'noindex');
  if (page.headers) context.set(page.headers);
  context.body = renderPage(site, language, page);
}

/** Size of preview images in pixels, which social networks recommend. */
export const PREVIEW = { width: 1200, height: 630 } as const;
/** Search engines show about this many characters of a title and of a description, and ignore a shorter one. */
export const MAX_TITLE = 75;
const MAX_DESCRIPTION = 200;
export const MIN_DESCRIPTION = 60;
const LOCALES: Readonly<Record<Language, string>> = { en: 'en_US', ar: 'ar_SA' };

const previewPath = (language: Language, path: string): string =>
  `/previews/${language}${path === '/' ? '' : path.replace(/\?.*/, '')}.jpg`;

function headTags({ siteUrl, serviceName }: Site['config'], language: Language, page: Page & { path: string }): Html {
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
${alternates({ siteUrl }, path)}
${Object.entries(properties).map(([name, value]) => html`<meta property="${name}" content="${value}">`)}<meta name="twitter:card" content="summary_large_image">
${structured.map((each) => jsonBlock('application/ld+json', { '@context': 'https://schema.org', ...each }))}`;
}

const alternates = ({ siteUrl }: Pick<Site['config'], 'siteUrl'>, path: string): Html =>
  html`${[...LANGUAGES, 'x-default'].map((each) => html`<link rel="alternate" hreflang="${each}" href="${siteUrl}${pathIn(each === 'ar' ? 'ar' : 'en', path)}">`)}`;

/** Appends the name of the service where it has room. Pure. */
const headTitle = (title: string, serviceName: string): string => {
  const complete = `${title} · ${serviceName}`;
  return complete.length <= MAX_TITLE ? complete : shortened(title, MAX_TITLE - 1);
};

/** Returns the description, or the first paragraphs after the title; a short one is followed by that of the site. */
export function descriptionOf(language: Language, { title, description, body }: Page): string {
  const [, content = ''] = body.markup.split('</h1>', 2);
  const paragraphs = [...content.matchAll(/<p[ >][\s\S]*?<\/p>/g)].map(([paragraph]) => textOf(paragraph));
  let text = '';
  for (const part of [
    ...(description === undefined ? paragraphs.slice(0, 2) : [description]),
    title,
    TEXTS[language].home_lead,
  ])
    if (text.length < MIN_DESCRIPTION) text = `${text} ${part}`.replace(/\s+/g, ' ').trim();
  return shortened(text, MAX_DESCRIPTION);
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
const jsonBlock = (type: string, data: unknown, id?: string): Html =>
  new Html(
    `<script type="${type}"${id === undefined ? '' : ` id="${id}"`}>${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  );
