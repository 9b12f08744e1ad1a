import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { escapeText, Html } from './html.ts';

/** Languages of code blocks by the name after the Markdown fence. */
const LANGUAGES: Readonly<Record<string, { label: string; grammar: string }>> = {
  sh: { label: 'Shell', grammar: 'bash' },
  js: { label: 'JavaScript', grammar: 'typescript' },
  ts: { label: 'TypeScript', grammar: 'typescript' },
  python: { label: 'Python', grammar: 'python' },
  json: { label: 'JSON', grammar: 'json' },
};

for (const [name, grammar] of Object.entries({ bash, json, python, typescript }))
  highlighter.registerLanguage(name, grammar);

/** A block of code. */
export interface Code {
  text: string;
  /** Name of the language after the fence, for example `sh`. */
  language: string;
  /** Heading of a block that contains output, not commands. */
  output?: string;
}

/** Returns a code block, which is always left-to-right. The `site.js` script adds a copy button. Pure. */
export function codeBlock(text: string, language = ''): Html {
  return block({ text, language });
}

/**
 * Returns blocks that follow each other. Consecutive blocks of different languages are alternatives: they have labels,
 * and `site.js` shows them as tabs. Pure.
 */
export function codeBlocks(blocks: readonly Code[]): Html {
  const groups: Code[][] = [];
  for (const each of blocks) {
    const group = groups.at(-1);
    const isAlternative = group?.every(({ language, output }) => output === undefined && language !== each.language);
    if (group && isAlternative && each.output === undefined) group.push(each);
    else groups.push([each]);
  }
  return new Html(
    groups
      .map(([first, ...others]) => {
        if (first === undefined || others.length === 0) return first ? block(first, first.output).markup : '';
        const labelled = [first, ...others].map((each) =>
          block(each, LANGUAGES[each.language]?.label ?? each.language),
        );
        return `<div class="tabs" dir="ltr">\n${labelled.map(({ markup }) => markup).join('')}</div>\n`;
      })
      .join(''),
  );
}

function block({ text, language, output }: Code, title?: string): Html {
  const kind = output === undefined ? 'code' : 'code output';
  const head = title === undefined ? '' : `<p class="code-title" dir="auto">${escapeText(title)}</p>`;
  return new Html(
    `<div class="${kind}" dir="ltr" data-language="${escapeText(language)}">${head}<pre tabindex="0"><code>${highlight(text, language)}</code></pre></div>\n`,
  );
}

/** Returns code as markup with a class for each kind of word, or only escaped if the language is unknown. */
function highlight(text: string, language: string): string {
  const grammar = LANGUAGES[language]?.grammar;
  return grammar === undefined ? escapeText(text) : highlighter.highlight(text, { language: grammar }).value;
}
