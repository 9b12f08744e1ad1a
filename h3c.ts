import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { readWordList } from '#queries/text/word-lists.ts';

const leaves = (c: any): number => {
  if (Array.isArray(c)) return c.reduce((s, x) => s + leaves(x), 0);
  if (c && typeof c === 'object') {
    if (c.bool) return Object.values(c.bool).reduce((s: number, x) => s + leaves(x), 0);
    // multi-word match = words
    const [k] = Object.keys(c);
    if (k === 'match') {
      const v: any = Object.values(c.match)[0];
      return String(v.query).split(' ').length;
    }
    return 1;
  }
  return 0;
};
const terms = [
  ...new Set(
    [...readWordList('synonyms.txt'), ...readWordList('words.txt')].flatMap((l) => l.split(',').map((s) => s.trim())),
  ),
].filter(Boolean);
const r = terms
  .map((t) => ({ t, n: t.split(' ').length, c: leaves(searchTextClause(parseSearchText(t))) }))
  .map((x) => ({ ...x, per: x.c / x.n, perChar: x.c / (x.t.length + 1) }))
  .sort((a, b) => b.per - a.per);
console.log(r.slice(0, 12));
console.log(r.sort((a, b) => b.perChar - a.perChar).slice(0, 12));
const distinct = r.sort((a, b) => b.per - a.per);
const fill = (sep: string, list: typeof r, maxw: number) => {
  let q = '';
  let w = 0;
  for (const x of list) {
    if (q.length + x.t.length + 1 > 300 || w + x.n > maxw) continue;
    q += (q ? sep : '') + x.t.replaceAll(' ', sep);
    w += x.n;
  }
  return q;
};
for (const sep of [' ', '-', ' | '])
  for (const w of [30, 150]) {
    const q = fill(sep, distinct, w);
    const g = parseSearchText(q);
    console.log(sep, w, q.length, g.flat().length, leaves(searchTextClause(g)));
  }
for (const q of ['ac-'.repeat(100), 'a/c '.repeat(30), 'ac '.repeat(30), 'a-c-'.repeat(75)]) {
  const g = parseSearchText(q);
  console.log(q.slice(0, 10), q.length, g.flat().length, leaves(searchTextClause(g)));
}
const t0 = performance.now();
for (let i = 0; i < 20; i++) searchTextClause(parseSearchText('ac-'.repeat(100)));
console.log((performance.now() - t0) / 20, 'ms');
const big = 'ﷲ'.repeat(300);
const t1 = performance.now();
searchTextClause(parseSearchText(big));
console.log(performance.now() - t1, 'ms fdf2');
