import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { Html, html } from './html.ts';

/** By the name after the Markdown fence. */
const LANGUAGES: Readonly<Record<string, { label: string; grammar?: string }>> = {
  sh: { label: 'Shell', grammar: 'bash' },
  js: { label: 'JavaScript', grammar: 'typescript' },
  ts: { label: 'TypeScript', grammar: 'typescript' },
  python: { label: 'Python', grammar: 'python' },
  json: { label: 'JSON', grammar: 'json' },
  powershell: { label: 'PowerShell' },
  bat: { label: 'cmd' },
  prompt: { label: 'Assistant' },
};

for (const [name, grammar] of Object.entries({ bash, json, python, typescript }))
  highlighter.registerLanguage(name, grammar);

export interface Code {
  text: string;
  /** Name after the fence, for example `sh`. */
  language: string;
  /** Heading of a block with output. */
  output?: string;
}

/** Always left-to-right. `site.js` adds a copy button. */
export const codeBlock = (text: string, language = ''): Html => block({ text, language });

/**
 * Blocks of different languages are alternatives: `site.js` enables their tabs. Without scripts, all are shown below
 * their labels.
 */
export function codeBlocks(blocks: readonly Code[]): Html {
  const groups: Code[][] = [];
  for (const each of blocks) {
    const group = groups.at(-1);
    const isAlternative = group?.every(({ language, output }) => output === undefined && language !== each.language);
    if (group && isAlternative && each.output === undefined) group.push(each);
    else groups.push([each]);
  }
  return html`${groups.map((group) => {
    if (group.length === 1) return html`${group.map((each) => block(each, { title: each.output }))}`;
    const labels = group.map(({ language }) => LANGUAGES[language]?.label ?? language);
    const tabs = labels.map(
      (label, at) => html`<button type="button" role="tab" aria-selected="${String(at === 0)}">${label}</button>`,
    );
    const panels = group.map((each, at) => block(each, { label: labels[at], isHidden: at > 0 }));
    return html`<div class="tabs" dir="ltr">\n<div role="tablist">${tabs}</div>${panels}</div>\n`;
  })}`;
}

function block(
  { text, language, output }: Code,
  {
    title,
    label,
    isHidden = false,
  }: { title?: string | undefined; label?: string | undefined; isHidden?: boolean } = {},
): Html {
  const head = title === undefined ? null : html`<p class="code-title" dir="auto">${title}</p>`;
  const grammar = LANGUAGES[language]?.grammar;
  const code = grammar === undefined ? text : new Html(highlighter.highlight(text, { language: grammar }).value);
  return html`<div class="${output === undefined ? 'code' : 'code output'}" dir="ltr" data-language="${language}"${label !== undefined && html` data-label="${label}"`}${new Html(isHidden ? ' hidden' : '')}>${head}<pre tabindex="0"><code>${code}</code></pre></div>\n`;
}
