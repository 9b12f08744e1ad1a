import { createHash } from 'node:crypto';
import { Feed } from 'feed';
import type { Context } from 'koa';
import { CHANGELOG, type ChangeKind, type ChangelogEntry, startOfDay } from '#openapi/changelog.ts';
import type { Config } from '#src/config.ts';
import { type Html, html } from './html.ts';
import { LANGUAGES, type Language, pathIn } from './language.ts';
import type { Page } from './page.ts';

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

/**
 * Answers for the Atom feed of the changelog, at `/changelog.atom` and `/ar/changelog.atom`.
 * @returns whether the path was one of them
 */
export function createFeed(site: Site, entries: readonly ChangelogEntry[] = CHANGELOG): (context: Context) => boolean {
  const made = new Map(
    LANGUAGES.map((language) => [pathIn(language, '/changelog.atom'), changelogFeed(site, entries, language)]),
  );
  return (context) => {
    const feed = made.get(context.path);
    if (feed === undefined) return false;
    context.type = 'application/atom+xml; charset=utf-8';
    context.body = feed;
    context.set('Cache-Control', 'public, max-age=300');
    context.set('X-Content-Type-Options', 'nosniff');
    // Readers of feeds ask often.
    context.etag = createHash('sha256').update(feed).digest('base64url');
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
export function changelogPage(language: Language, entries: readonly ChangelogEntry[] = CHANGELOG): Page {
  const words = WORDS[language];
  const feed = pathIn(language, '/changelog.atom');
  return {
    title: words.title,
    path: '/changelog',
    feed,
    body: html`<h1>${words.title}</h1><p class="lead">${words.lead} <a href="${feed}">${words.feed}</a></p>
${entries.map((entry) => changelogArticle(entry, language))}`,
  };
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
