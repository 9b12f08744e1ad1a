import { foldText } from '#domain/fold.ts';
import { findCity, findNeighborhood } from '#domain/geography/locate.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { clausesOfFolded, phraseAt, phraseList } from '#domain/text/phrases.ts';
import { MAX_TEXT, onlyOf } from './patterns.ts';

const MAX_WORDS = 4;
const CONTEXT_WORDS = 4;

interface Mention {
  neighborhood: Neighborhood;
  /** Whether a word for neighborhood introduces the name, as in `حي الياسمين`, and not only `in`. */
  named: boolean;
  /** Whether the text introduces the neighborhood as the home's location. */
  own: boolean;
}

/**
 * Returns the neighborhood of a city (slug) in which the title and description locate the home. Null if they mention
 * none, or several of which not exactly one is introduced as the home's location.
 */
export function neighborhoodInText(city: string, title: string | null, description: string): Neighborhood | null {
  const mentions = [
    ...mentionsIn(city, title ?? '').map((mention) => ({ ...mention, own: true })),
    ...mentionsIn(city, description.slice(0, MAX_TEXT)),
  ];
  const named = mentions.filter((mention) => mention.named);
  const considered = named.length > 0 ? named : mentions;
  const own = considered.filter((mention) => mention.own);
  return onlyOf(considered.map(placeOf)) ?? onlyOf(own.map(placeOf));
}

const placeOf = ({ neighborhood }: Mention): Neighborhood => neighborhood;

/** Line breaks and separators of list entries. A hyphen within a name, as in `Al-Narjis`, is not a separator. */
const LINE_END = /[\n+•▪◾◼●√✅✓☑|_~=«»#*\u{1f300}-\u{1faff}\u2600-\u27bf]+|(?<![a-z])[-–—]|[-–—](?![a-z])/iu;

/** Words for neighborhood. Arabic words precede the name, English words follow it. */
const INTRODUCTION = /^(?:(?:[وف]?[بل]?|و?ال|بال)حي|(?:ال)?موقع|موقعها|hay|hayy|hai)$/;
const BEHIND = /^(?:district|neighbou?rhood|dist)$/;
const IN = phraseList('في, in, at');
/** An attached `in`: `بالملقا`, `وبالملقا`. */
const ATTACHED_IN = /^و?ب(?=ال\p{L}{3})/u;

/** A label before a value, with an optional separator: `الحي / النزهة`. */
const LABEL = /(?<!\p{L})(الحي|الحى|الموقع)\s*[:：/|📍-]+[^\S\n]*/gu;

function mentionsIn(city: string, text: string): Mention[] {
  const found: Mention[] = [];
  for (const line of text.replace(LABEL, '$1 ').split(LINE_END)) {
    for (const words of clausesOfFolded(foldText(line).replaceAll('-', ' '))) {
      for (let at = 0; at < words.length; ) at = readAt(city, words, at, found);
    }
  }
  return found;
}

/** @returns the index of the next word to read */
function readAt(city: string, words: readonly string[], at: number, found: Mention[]): number {
  const word = words[at] as string;
  if (BEHIND.test(word)) {
    const name = nameBefore(city, words, at);
    if (name !== null && !isElsewhere(words, at - name.length, ''))
      found.push({ neighborhood: name.neighborhood, named: true, own: isOwn(words, at - name.length) });
    return at + 1;
  }
  const introduced = INTRODUCTION.test(word);
  const isIn = phraseAt(words, at, IN) > 0 && !INTRODUCTION.test(words[at + 1] ?? '');
  const attached = word.replace(ATTACHED_IN, '');
  if (!introduced && !isIn && attached === word) return at + 1;
  const from = introduced || isIn ? at + 1 : at;
  const behind =
    attached === word ? words.slice(from, from + MAX_WORDS) : [attached, ...words.slice(from + 1, from + MAX_WORDS)];
  const name = longestName(city, behind);
  if (name === null) return at + 1;
  const end = from + name.length;
  const named = introduced || BEHIND.test(words[end] ?? '');
  if (OF_SOMETHING_ELSE.test(words[end] ?? '')) return end;
  const isPlace = named || isPlain(name.neighborhood, behind, name.length, words[end]);
  if (isPlace && !isElsewhere(words, at, word)) found.push({ ...name, named, own: isOwn(words, at) });
  const and = words[end];
  // `حي الملقا والياسمين` contains two names.
  if (isPlace && and?.startsWith('و')) {
    const second = longestName(city, [and.slice(1), ...words.slice(end + 1, end + MAX_WORDS)]);
    if (second !== null && !isElsewhere(words, at, word)) found.push({ ...second, named, own: false });
  }
  return end;
}

interface Name {
  neighborhood: Neighborhood;
  length: number;
}

function longestName(city: string, words: readonly string[]): Name | null {
  for (let length = words.length; length > 0; length--) {
    const last = words[length - 1] as string;
    if (length > 1 && (BEHIND.test(last) || NOISE.test(last))) continue;
    const neighborhood = findNeighborhood(city, words.slice(0, length).join(' '));
    if (neighborhood !== null) return { neighborhood, length };
  }
  return null;
}

/** Returns the longest name that ends before a word: `Al Narjis district`. */
function nameBefore(city: string, words: readonly string[], at: number): Name | null {
  for (let length = Math.min(MAX_WORDS, at); length > 0; length--) {
    const neighborhood = findNeighborhood(city, words.slice(at - length, at).join(' '));
    if (neighborhood !== null) return { neighborhood, length };
  }
  return null;
}

const NOISE = /^(?:ال)?حي$|^(?:al|el|in|at|as|an|ad|ar)$/;

/** Names that are also ordinary words, which are ignored after `in` alone. */
const ORDINARY = new Set(
  `احد المربع النور السلام العزيزيه الربيع الوادي النخيل النهضه المدينه الجامعه المطار المركز الشمال المجمع السوق
  الصناعيه الصفا الروضه الضباط الواحه الورود السعاده الاسكان الديره المنتزه الواجهه البحر الشاطي الكورنيش الحمراء الخليج الجزيره
  الحزم الميناء المستقبل الفرسان الامانه الرحاب المحمديه الامل`.split(/\s+/),
);
/** Words that indicate that a following name belongs to a building or a street. */
const OF_SOMETHING_ELSE =
  /^(?:مول|بلازا|فيو|ريزيدنس|ريزدنس|هيلز|تاور|سكوير|جيت|بارك|ووك|سنتر|مركز|street|st|road|rd|mall|tower|plaza|square|hospital|school|university|mosque|park)$/;

/** Returns whether `in` followed by a name can only mean the neighborhood. */
function isPlain(neighborhood: Neighborhood, words: readonly string[], length: number, next = ''): boolean {
  const first = words[0] as string;
  if (findCity(words.slice(0, length).join(' ')) !== null) return false;
  if (/^[a-z]/.test(first))
    return (
      next === '' || /^(?:al|el|an|ar|as|ash|at|ath|az|ad)$/.test(first) || /^al[a-z]{4}/.test(first) || length > 1
    );
  const name = foldText(neighborhood.name_ar);
  return first.startsWith('ال') === name.startsWith('ال') && !ORDINARY.has(name);
}

const ELSEWHERE = phraseList(
  `قرب, قريب, قريبه, قريبين, وقريب, وقريبه, بالقرب, وبالقرب, القريب, القريبه, بجوار, وبجوار, جوار, بجانب, جنب, مجاور, مجاوره, مقابل, مقابله, امام,
  خلف, علي بعد, تبعد, يبعد, دقائق, دقيقه, دقايق, مطل, مطله, تطل, حدود, يفصل, يفصلها, بين, يحد, يحدها, تربط, يودي, المودي, باتجاه, مدخل, مخرج,
  مكتب, مكتبنا, مقر, مقرنا, فرع, فرعنا, شركه, موسسه, عنوان المكتب, جامع, مسجد, مستشفي, مدرسه, مدارس, جامعه, حديقه, مول, محطه, مترو, كلم, كيلو,
  اخري, اخر, وايضا, ايضا, كذلك, وكذلك, near, nearby, close, next, beside, opposite, behind, facing, overlooking, minutes, minute, mins, min,
  away, from, between, office, branch, km, other`,
);
const OF = /^(?:من|عن|الي|ل|لحي|شارع|طريق|ممشي|احياء|from|to|of|street|road)$/;

function isElsewhere(words: readonly string[], at: number, word: string): boolean {
  if (OF.test(words[at - 1] ?? '') || OF.test(word)) return true;
  for (let before = Math.max(0, at - CONTEXT_WORDS); before < at; before++)
    if (phraseAt(words, before, ELSEWHERE) > 0) return true;
  return false;
}

const HOME = phraseList(
  `شقه, الشقه, شقتين, شقق, فلل, ادوار, فيلا, الفيلا, فله, فيله, دور, الدور, عماره, العماره, ارض, الارض, بيت, البيت, دوبلكس, دبلكس, استوديو, غرفه, روف, العقار,
  للبيع, للايجار, تقع, يقع, الموقع, موقع, موقعها, موقعه, العنوان, المنطقه, apartment, flat, villa, floor, duplex, townhouse, studio, house, land, located,
  situated, location`,
);

function isOwn(words: readonly string[], at: number): boolean {
  if (at === 0 && INTRODUCTION.test(words[at] as string)) return true;
  for (let before = Math.max(0, at - CONTEXT_WORDS); before < at; before++)
    if (phraseAt(words, before, HOME) > 0) return true;
  return false;
}
