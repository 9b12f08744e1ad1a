/** Removes NUL and replaces unpaired surrogates, because Postgres cannot store them. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}
