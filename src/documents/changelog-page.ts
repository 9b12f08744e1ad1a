import { createHash } from 'node:crypto';
import { Feed } from 'feed';
import type { Context } from 'koa';
import { startOfDay } from '#domain/timestamps.ts';
import type { Config } from '#src/config.ts';
import { CHANGELOG, type ChangelogEntry } from '#src/openapi/changelog.ts';
import { type Html, html } from './html.ts';
import { type Language, pathIn, readLanguage } from './language.ts';
import { renderMarkdown } from './markdown.ts';
import type { DocumentPage } from './plain-page.ts';
import { send } from './send-document.ts';
import { CHANGE_TEXTS, DOCUMENT_TEXTS } from './text/document-texts.ts';

type SiteIdentity = Pick<Config, 'serviceName' | 'siteUrl'>;

export function changelogPage(entries: readonly ChangelogEntry[], language: Language): DocumentPage {
  const words = CHANGE_TEXTS[language];
  const feed = `${pathIn(language, '/changelog')}.atom`;
  return {
    title: DOCUMENT_TEXTS[language].changelog,
    path: '/changelog',
    feed,
    body: html`<h1>${DOCUMENT_TEXTS[language].changelog}</h1><p class="lead">${words.lead} <a href="${feed}">${words.feed}</a></p>
${entries.map((entry) => changelogArticle(entry, language))}`,
  };
}

/**
 * At `/changelog.atom`, and in Arabic under `/ar`.
 * @returns whether the path is the feed
 */
export function createFeed(
  site: SiteIdentity,
  entries: readonly ChangelogEntry[] = CHANGELOG,
): (context: Context) => boolean {
  const made = new Map<string, { body: string; etag: string }>();
  return (context) => {
    const { language, path } = readLanguage(context.path);
    if (path !== '/changelog.atom') return false;
    const feed = made.get(language) ?? withTag(changelogFeed(site, entries, language));
    made.set(language, feed);
    send(context, 'application/atom+xml', feed.body);
    // Feed readers poll often.
    context.etag = feed.etag;
    if (context.fresh) context.status = 304;
    return true;
  };
}

const withTag = (body: string) => ({ body, etag: createHash('sha256').update(body).digest('base64url') });

export function changelogFeed(
  { serviceName, siteUrl }: SiteIdentity,
  entries: readonly ChangelogEntry[],
  language: Language,
): string {
  const words = CHANGE_TEXTS[language];
  const link = `${siteUrl}${pathIn(language, '/changelog')}`;
  const feed = new Feed({
    id: link,
    title: `${serviceName}: ${DOCUMENT_TEXTS[language].changelog}`,
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

/** `Link` headers reference the anchor. */
function changelogArticle(entry: ChangelogEntry, language: Language): Html {
  return html`<article id="${entry.id}">
<h2><a class="anchor" href="#${entry.id}">${entry.title[language]}</a></h2>
<p><time datetime="${entry.date}">${entry.date}</time> · ${CHANGE_TEXTS[language][entry.kind]}</p>
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
  return html`${renderMarkdown(text[language]).body}${parts.length > 0 ? html`<ul>${parts}</ul>` : null}${
    sunset === undefined
      ? null
      : html`<p>${CHANGE_TEXTS[language].sunset} <time datetime="${sunset}">${sunset}</time></p>`
  }`;
}
