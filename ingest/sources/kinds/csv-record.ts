const QUOTE = 0x22;

/** Parses a complete record. Returns null if a quote stands inside a field or is not closed. */
export function fieldsOf(text: string, delimiter: string): string[] | null {
  if (!text.includes('"')) return text.split(delimiter);
  const fields: string[] = [];
  for (let at = 0; ; ) {
    let end: number;
    if (text.charCodeAt(at) === QUOTE) {
      let close = text.indexOf('"', at + 1);
      let doubled = false;
      while (close !== -1 && text.charCodeAt(close + 1) === QUOTE) {
        doubled = true;
        close = text.indexOf('"', close + 2);
      }
      if (close === -1) return null;
      const field = text.slice(at + 1, close);
      fields.push(doubled ? field.replaceAll('""', '"') : field);
      end = close + 1;
      if (end < text.length && !text.startsWith(delimiter, end)) return null;
    } else {
      end = text.indexOf(delimiter, at);
      if (end === -1) end = text.length;
      const field = text.slice(at, end);
      if (field.includes('"')) return null;
      fields.push(field);
    }
    if (end >= text.length) return fields;
    at = end + delimiter.length;
  }
}
