import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GUIDE_TEXTS, TEXTS } from '#site/text/index.ts';
import type { Config } from '#src/config.ts';
import { type Html, html } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import { fillPlaceholders, type Heading, renderMarkdown } from '#src/documents/markdown.ts';
import { EXPORT_PRICE, PRICES } from '#src/metering/prices.ts';
import { installMarkdown } from './client-links.ts';
import { formatter } from './format.ts';
import { guideMenu } from './guide-menu.ts';
import type { Page, Site } from './page.ts';
import { topicsOf } from './search-index.ts';

const FOLDER = join(import.meta.dirname, '..', 'guides');

/** Reads the guides, ordered by the number in their file names, for example `02-plans-and-units.md`. */
export function readGuides(language: Language) {
  return readdirSync(join(FOLDER, language))
    .filter((name) => /^\d\d-[a-z-]+\.md$/.test(name))
    .sort()
    .map((name) => ({ slug: name.slice(3, -3), source: readFileSync(join(FOLDER, language, name), 'utf8') }));
}

/** Values for price placeholders in guides, for example `{{units_search}} for each {{per_search}} results`. */
const PRICE_VALUES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...PRICES, export_rows: { units: EXPORT_PRICE.units, per: EXPORT_PRICE.perRows } }).flatMap(
    ([name, price]) => [
      [`units_${name}`, String(price.units)],
      ...('per' in price ? [[`per_${name}`, price.per.toLocaleString('en')]] : []),
      ...('without' in price ? [[`without_${name}`, String(price.without)]] : []),
    ],
  ),
);

/** Removes the sections with the id `mark` or `mark-...`. Pure. */
const withoutSections = (source: string, mark: string): string =>
  source.replaceAll(new RegExp(`^## .*\\{#${mark}(-[\\w-]*)?\\}\\n[\\s\\S]*?(?=^## |$(?![\\s\\S]))`, 'gm'), '');

/** Marks of the sections that do not apply: for users of a local installation, and with or without clients to install. */
const absentSections = ({ demoKey, downloads }: Pick<Site, 'demoKey' | 'downloads'>): string[] => [
  ...(demoKey === null ? ['local'] : []),
  downloads.clients.length > 0 ? 'no-client' : 'client',
];

export function guidePages(site: Pick<Site, 'config' | 'demoKey' | 'downloads'>, language: Language) {
  const { config, demoKey } = site;
  const texts = TEXTS[language];
  const values = {
    base_url: config.baseUrl,
    site_url: config.siteUrl,
    service: config.serviceName,
    clients: installMarkdown(site, language),
    contact: config.contactUrl === null ? '' : `[${texts.contact}](${config.contactUrl})`,
    webhook_addresses:
      formatter(language).list(config.webhookSourceAddresses.map((address) => `\`${address}\``)) ||
      GUIDE_TEXTS[language].any_addresses,
    ...PRICE_VALUES,
  };
  const guides = readGuides(language).map(({ slug, source }) => {
    const markdown = fillPlaceholders(absentSections(site).reduce(withoutSections, source), values);
    return { slug, markdown, ...renderMarkdown(markdown, GUIDE_TEXTS[language].output) };
  });
  const menu = guideMenu(language, guides, demoKey);
  const pages = guides.map(
    ({ slug, title, body, headings }): Page => ({
      title,
      path: `/guides/${slug}`,
      body: html`<article><h1>${title}</h1>${contents(headings, texts.on_this_page)}${body}</article>`,
    }),
  );
  const parts = new Map(
    guides.map(({ slug, headings }) => [
      `/guides/${slug}`,
      headings.flatMap(({ level, text }) => (level === 2 ? [text] : [])).join(' · '),
    ]),
  );
  const list: Page = {
    title: texts.guides,
    path: '/guides',
    body: html`<h1>${texts.guides}</h1><p class="lead">${texts.guides_lead}</p>
${menu.sections.map(({ name, items }) => html`<section><h2>${name}</h2><ul class="doors">${items.filter(({ path }) => path !== '/guides').map(({ path, title }) => html`<li><a href="${pathIn(language, path)}"><strong>${title}</strong><span>${parts.get(path) ?? ''}</span></a></li>`)}</ul></section>`)}`,
  };
  const topics = guides.flatMap(({ slug, title, body: { markup } }) =>
    topicsOf({ title, context: texts.guides, path: `/guides/${slug}`, markup }),
  );
  const documents = guides.map(({ slug, title, markdown }) => ({
    path: `/guides/${slug}.md`,
    title,
    text: plainMarkdown(markdown, `${config.siteUrl}${pathIn(language, '/')}`),
  }));
  return { topics, pages: [list, ...pages].map(menu.addTo), menu, documents };
}

/** Returns a guide for readers outside of the site: links are absolute, and headings have no ids. Pure. */
const plainMarkdown = (markdown: string, root: string): string =>
  markdown
    .replaceAll(/ \{#[\w-]+\}$/gm, '')
    .replaceAll(/\]\(\/(guides\/[\w-]+)/g, `](${root}$1.md`)
    .replaceAll('](/', `](${root}`);

/**
 * Returns the list of documents that assistants and crawlers read first (llmstxt.org). Pure.
 * @param guides in English
 */
export function llmsText(
  { siteUrl, baseUrl, serviceName }: Pick<Config, 'siteUrl' | 'baseUrl' | 'serviceName'>,
  guides: readonly { path: string; title: string }[],
): string {
  const links = [
    ['All guides in one file', `${siteUrl}/llms-full.txt`, 'the texts listed above'],
    ['Authentication', `${siteUrl}/auth.md`, 'how to get a key, also a trial key without an account'],
    ['OpenAPI document', `${baseUrl}/openapi.json`, 'all operations, parameters, fields and errors'],
    ['Errors', `${siteUrl}/docs/errors`, 'each code with its cause and remedy'],
    ['Changelog', `${siteUrl}/changelog`, 'changes and deprecations'],
  ];
  return [
    `# ${serviceName}`,
    `> ${TEXTS.en.home_lead}`,
    ['## Guides', ...guides.map(({ path, title }) => `- [${title}](${siteUrl}${path})`)].join('\n'),
    ['## Reference', ...links.map(([title, url, text]) => `- [${title}](${url}): ${text}`)].join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

function contents(headings: readonly Heading[], title: string): Html | null {
  const sections = headings.filter(({ level }) => level === 2);
  if (sections.length < 3) return null;
  return html`<nav class="contents" aria-label="${title}"><ul>${sections.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`;
}
