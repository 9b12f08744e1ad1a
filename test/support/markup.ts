const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Returns the text of markup: without tags, and with character references replaced. */
export const textOfMarkup = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(x?)([0-9a-f]+)|(\w+));/gi, (reference, hexadecimal, code, name) =>
      code === undefined
        ? (ENTITIES[name] ?? reference)
        : String.fromCodePoint(Number.parseInt(code, hexadecimal ? 16 : 10)),
    );
