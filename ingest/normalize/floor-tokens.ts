/** A word, a number or a sign of a folded text. */
export interface Token {
  text: string;
  isNumber: boolean;
  isWord: boolean;
  /** White space before it. */
  gap: string;
  start: number;
  end: number;
}

const TOKEN = /([ \n]*)(?:(\d+(?:\.0+(?!\d))?)|(\p{L}[\p{L}\p{M}]*)|([^ \n]))/uy;
/** Tokens of a list of floors. Longer lists state none. */
export const MAX_TOKENS = 24;

export function tokensOf(text: string, from = 0, limit = Number.POSITIVE_INFINITY): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = from;
  while (tokens.length < limit) {
    const [whole, gap = '', number, word, sign] = TOKEN.exec(text) ?? [];
    if (whole === undefined) break;
    const end = TOKEN.lastIndex;
    const own = number ?? word ?? (sign as string);
    const isWord = word !== undefined;
    tokens.push({ text: own, isNumber: number !== undefined, isWord, gap, start: end - own.length, end });
  }
  return tokens;
}
