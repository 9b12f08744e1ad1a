import { GUIDE_TEXTS, SERVICE_TEXTS, TEXTS } from '#site/text/index.ts';
import { Html, html } from '#src/documents/html.ts';
import { type Language, pathIn } from '#src/documents/language.ts';
import type { Page } from './page.ts';

type Section = keyof (typeof GUIDE_TEXTS)['en']['sections'];

export const SEARCH_INDEX = '/guides/search.json';

/** Slugs of guides, and paths of other pages. */
const SECTIONS: Readonly<Record<Section, readonly string[]>> = {
  start: ['/guides', 'first-call', 'quickstart', 'authentication'],
  concepts: ['concepts', 'plans-and-units', 'paging', 'errors', 'versioning'],
  data: ['arabic-search', 'statistics', 'estimates', 'methodology', 'off-plan', 'official-data'],
  build: ['sync', 'webhooks', 'exports', 'download', 'sdks', 'assistants', 'testing', 'administration', 'going-live'],
  account: ['/pricing', '/coverage', '/accuracy', '/status', 'data-use', 'faq', '/docs/errors', '/changelog'],
};

export function searchForm(language: Language): Html {
  const texts = GUIDE_TEXTS[language];
  return html`<form class="search" role="search" action="${pathIn(language, '/guides')}" data-index="${pathIn(language, SEARCH_INDEX)}" data-found="${texts.search_found}" data-none="${texts.search_none}" data-failed="${texts.search_failed}">
<input type="search" name="q" aria-label="${texts.search}" placeholder="${texts.search_hint}" autocomplete="off" aria-keyshortcuts="/"><kbd aria-hidden="true">/</kbd>
<p role="status" class="visually-hidden"></p><div class="results" hidden></div></form>`;
}

interface MenuSection {
  name: string;
  items: readonly { path: string; title: string }[];
}

/** The section of the current page is open. */
export function sideMenu(language: Language, title: string, sections: readonly MenuSection[], current: string): Html {
  const lists = sections.map(({ name, items }) => {
    const links = items.map(
      ({ path, title }) =>
        html`<li><a href="${pathIn(language, path)}"${new Html(path === current ? ' aria-current="page"' : '')}>${title}</a></li>`,
    );
    const isOpen = items.some(({ path }) => path === current);
    return html`<li><details${new Html(isOpen ? ' open' : '')}><summary>${name}</summary><ul>${links}</ul></details></li>`;
  });
  return html`<div class="menu">
${searchForm(language)}
<nav aria-label="${title}"><button type="button" aria-expanded="false" aria-controls="menu">${title}</button><ul id="menu">${lists}</ul></nav></div>`;
}

export function guideMenu(
  language: Language,
  guides: readonly { slug: string; title: string }[],
  demoKey: string | null,
) {
  const texts = GUIDE_TEXTS[language];
  const service = SERVICE_TEXTS[language];
  const common = TEXTS[language];
  const titles = new Map<string, string>([
    ['/guides', common.guides],
    ...guides.map(({ slug, title }): [string, string] => [`/guides/${slug}`, title]),
    ['/pricing', service.pricing],
    ['/coverage', service.coverage],
    ['/accuracy', service.accuracy],
    ['/status', service.status],
    ['/docs/errors', common.errors],
    ['/changelog', common.changelog],
  ]);
  const sections = Object.entries(SECTIONS).map(([section, names]) => ({
    name: texts.sections[section as Section],
    items: names.map((name) => {
      const path = name.startsWith('/') ? name : `/guides/${name}`;
      return { path, title: titles.get(path) ?? path };
    }),
  }));
  const all = sections.flatMap(({ items }) => items);
  const neighbor = (item: { path: string; title: string } | undefined, rel: 'prev' | 'next', label: string) =>
    item &&
    html`<p class="${rel}"><span>${label}</span><a rel="${rel}" href="${pathIn(language, item.path)}">${item.title}</a></p>`;

  return {
    sections,
    addTo(page: Page): Page {
      const at = all.findIndex(({ path }) => path === page.path);
      return {
        ...page,
        section: page.section ?? 'guides',
        wide: true,
        scripts: [...(page.scripts ?? []), 'guides.js'],
        styles: [...(page.styles ?? []), 'guides.css'],
        data: page.data ?? { key: demoKey },
        body: html`<div class="with-menu">
${sideMenu(language, texts.menu, sections, page.path ?? '')}
<div class="prose">${page.body}
<nav class="pages" aria-label="${texts.pages}">${neighbor(all[at - 1], 'prev', texts.previous) ?? null}${neighbor(all[at + 1], 'next', texts.next) ?? null}</nav></div>
</div>`,
      };
    },
  };
}
