import { createHash } from 'node:crypto';
import { Feed } from 'feed';
import type { Context } from 'koa';
import { CHANGELOG, type ChangeKind, type ChangelogEntry, startOfDay } from '#openapi/changelog.ts';
import type { Config } from '#src/config.ts';
import { type Html, html } from './html.ts';

type Language = 'en' | 'ar';
type Site = Pick<Config, 'serviceName' | 'siteUrl'>;

const WORDS: Readonly<Record<Language, Readonly<Record<ChangeKind | 'title' | 'lead' | 'feed' | 'sunset', string>>>> = {
  en: {
    title: 'Changelog',
    lead: 'What changed for those who call the API, newest first. Within a version nothing is removed, narrowed or made required.',
    feed: 'Atom feed',
    added: 'Added',
    changed: 'Changed',
    fixed: 'Fixed',
    deprecated: 'Deprecated',
    sunset: 'Works at least until',
  },
  ar: {
    title: 'سجل التغييرات',
    lead: 'ما تغيّر لمن يستدعون الواجهة، والأحدث أولًا. لا يُحذف ضمن الإصدار الواحد شيء ولا يُضيَّق ولا يصبح إلزاميًا.',
    feed: 'خلاصة Atom',
    added: 'إضافة',
    changed: 'تغيير',
    fixed: 'إصلاح',
    deprecated: 'إيقاف تدريجي',
    sunset: 'يعمل على الأقل حتى',
  },
};

/** A page of the changelog, or its feed. */
interface Made {
  type: string;
  body: string;
}

/** The changelog at `/changelog`, and as an Atom feed at `/changelog.atom`; in Arabic under `/ar`. */
export function createChangelog(
  site: Site,
  entries: readonly ChangelogEntry[] = CHANGELOG,
): (context: Context) => boolean {
  const made = new Map<string, Made>();
  for (const language of ['en', 'ar'] as const) {
    const prefix = language === 'en' ? '' : '/ar';
    made.set(`${prefix}/changelog`, { type: 'html', body: changelogPage(site, entries, language) });
    made.set(`${prefix}/changelog.atom`, {
      type: 'application/atom+xml; charset=utf-8',
      body: changelogFeed(site, entries, language),
    });
  }
  /** @returns whether the path was one of them */
  return (context) => {
    const found = made.get(context.path);
    if (!found) return false;
    context.type = found.type;
    context.body = found.body;
    context.set('Cache-Control', 'public, max-age=300');
    // Readers of feeds ask often.
    context.etag = createHash('sha256').update(found.body).digest('base64url');
    if (context.fresh) context.status = 304;
    return true;
  };
}

/** Pure. */
export function changelogFeed(
  { serviceName, siteUrl }: Site,
  entries: readonly ChangelogEntry[],
  language: Language,
): string {
  const words = WORDS[language];
  const link = `${siteUrl}${language === 'en' ? '' : '/ar'}/changelog`;
  const feed = new Feed({
    id: link,
    title: `${serviceName}: ${words.title}`,
    description: words.lead,
    link,
    language,
    copyright: serviceName,
    generator: serviceName,
    updated: new Date(startOfDay(entries[0]?.date ?? '1970-01-01')),
    feedLinks: { atom: `${link}.atom` },
    author: { name: serviceName, link: siteUrl },
  });
  for (const entry of entries)
    feed.addItem({
      id: `${link}#${entry.id}`,
      link: `${link}#${entry.id}`,
      title: `${words[entry.kind]}: ${entry.title[language]}`,
      date: new Date(startOfDay(entry.date)),
      content: entryBody(entry, language).markup,
      category: [{ name: entry.kind }],
    });
  return feed.atom1();
}

/** Pure. */
function changelogPage({ serviceName, siteUrl }: Site, entries: readonly ChangelogEntry[], language: Language): string {
  const words = WORDS[language];
  const feed = `${language === 'en' ? '' : '/ar'}/changelog.atom`;
  return `<!doctype html>\n${
    html`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${words.title} · ${serviceName}</title>
<link rel="alternate" type="application/atom+xml" title="${words.title}" href="${feed}">
</head>
<body>
<header><p><a href="${siteUrl}">${serviceName}</a></p><h1>${words.title}</h1><p>${words.lead} <a href="${feed}">${words.feed}</a></p></header>
<main>${entries.map((entry) => changelogArticle(entry, language))}</main>
</body>
</html>`.markup
  }`;
}

/** An entry as it stands on the page, at the anchor that links of headers name. Pure. */
export function changelogArticle(entry: ChangelogEntry, language: Language): Html {
  return html`<article id="${entry.id}">
<h2><a href="#${entry.id}">${entry.title[language]}</a></h2>
<p><time datetime="${entry.date}">${entry.date}</time> · ${WORDS[language][entry.kind]}</p>
${entryBody(entry, language)}
</article>
`;
}

function entryBody({ text, deprecates = [], sunset }: ChangelogEntry, language: Language): Html {
  const parts = deprecates.map(({ operation, parameter }) =>
    parameter === undefined
      ? html`<li><code dir="ltr">${operation}</code></li>`
      : html`<li><code dir="ltr">${operation}</code>: <code dir="ltr">${parameter}</code></li>`,
  );
  return html`${paragraphs(text[language])}${parts.length > 0 ? html`<ul>${parts}</ul>` : null}${
    sunset === undefined ? null : html`<p>${WORDS[language].sunset} <time datetime="${sunset}">${sunset}</time></p>`
  }`;
}

/** Paragraphs with their code. */
const paragraphs = (text: string): Html[] =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => {
      const parts = paragraph.split('`').map((part, index) => (index % 2 === 0 ? html`${part}` : code(part)));
      return html`<p>${parts}</p>\n`;
    });

const code = (text: string): Html => html`<code dir="ltr">${text}</code>`;
