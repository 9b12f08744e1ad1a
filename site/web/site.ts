import { CONTENT, elementOf } from './element.ts';
import { rememberResults } from './results.ts';

const { copy = 'Copy', copied = 'Copied' } = document.body.dataset;

document.addEventListener('click', async ({ target }) => {
  const button = (target as Element).closest('.code > button');
  if (!button) return;
  await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '');
  button.textContent = copied;
  setTimeout(() => {
    button.textContent = copy;
  }, 1_500);
});

/** Shows alternatives in several languages as tabs. */
const LANGUAGE = 'code-language';
let groups: { group: HTMLElement; panels: HTMLElement[]; tabs: HTMLButtonElement[] }[] = [];
let count = 0;
function tabsOf(group: HTMLElement): (typeof groups)[number] {
  const index = count++;
  const panels = [...group.querySelectorAll<HTMLElement>('.code')];
  const list = group.querySelector<HTMLElement>('[role=tablist]');
  const tabs = [...group.querySelectorAll<HTMLButtonElement>('[role=tab]')];
  for (const [at, tab] of tabs.entries()) {
    const panel = panels[at];
    if (!panel) continue;
    tab.id = `tab-${index}-${at}`;
    panel.id = `code-${index}-${at}`;
    tab.setAttribute('aria-controls', panel.id);
    panel.role = 'tabpanel';
    panel.setAttribute('aria-labelledby', tab.id);
    tab.addEventListener('click', () => choose(panel.dataset.language ?? '', tab));
  }
  list?.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const tab = tabs.at((tabs.indexOf(document.activeElement as HTMLButtonElement) + step) % tabs.length);
    tab?.click();
    tab?.focus();
  });
  return { group, panels, tabs };
}

function show(language: string): void {
  for (const { panels, tabs } of groups) {
    const found = panels.findIndex((panel) => panel.dataset.language === language);
    for (const [at, panel] of panels.entries()) {
      const chosen = at === Math.max(0, found);
      panel.hidden = !chosen;
      tabs[at]?.setAttribute('aria-selected', String(chosen));
      if (tabs[at]) tabs[at].tabIndex = chosen ? 0 : -1;
    }
  }
}

function choose(language: string, tab: HTMLElement): void {
  const before = tab.getBoundingClientRect().top;
  stored = language;
  show(language);
  // Groups above the tab may change their height.
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // Storage is disabled; the choice applies to this page.
  }
}

let stored = '';
try {
  stored = localStorage.getItem(LANGUAGE) ?? '';
} catch {
  // Storage is disabled.
}

/** Adds copy buttons and tabs to the code in a part of the page. */
function addControls(part: ParentNode): void {
  for (const block of part.querySelectorAll('.code')) block.append(elementOf('button', { type: 'button' }, copy));
  groups = groups.filter(({ group }) => group.isConnected);
  for (const group of part.querySelectorAll<HTMLElement>('.tabs')) groups.push(tabsOf(group));
  show(stored);
}
addControls(document);
document.addEventListener(CONTENT, ({ target }) => addControls(target as Element));

// The link to the other language keeps the query and the fragment.
const language = document.querySelector<HTMLAnchorElement>('a.language');
const keepPlace = (): void => {
  if (!language) return;
  language.search = location.search;
  language.hash = location.hash;
};
for (const event of ['pointerover', 'focus', 'click']) language?.addEventListener(event, keepPlace);

/** The home page without a language in its address is shown in the language of the last page. */
const keepLanguage = (code: string): void => {
  // biome-ignore lint/suspicious/noDocumentCookie: some browsers lack the Cookie Store API
  document.cookie = `language=${code}; path=/; max-age=31536000; samesite=lax`;
};
keepLanguage(document.documentElement.lang);
language?.addEventListener('click', () => keepLanguage(language.hreflang));

rememberResults();
