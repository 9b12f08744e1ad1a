export function elementOf<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function pageData<T>(): T {
  return JSON.parse(document.querySelector('#data')?.textContent ?? '{}') as T;
}

/** Ends a task, so that the browser handles input and draws before the next part of a long start. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Event of an element whose content was replaced, which then needs what `site.js` adds to pages. */
export const CONTENT = 'content';
