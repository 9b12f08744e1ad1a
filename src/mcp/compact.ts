/** Characters of a text inside of a list that an assistant is shown. */
const LONGEST_TEXT = 280;
/** Characters of a whole answer: more would push the conversation out of an assistant's memory. */
const LONGEST_ANSWER = 40_000;

/**
 * An answer as an assistant is given it: nothing that is null or empty, of texts in lists the beginning, of lists of
 * addresses the first, and rows only as far as they fit. What was left out is said. Pure.
 */
export function compact(answer: object): object {
  const short = (shorten(answer, false) ?? {}) as Record<string, unknown>;
  const rows = longestList(short);
  if (!rows || JSON.stringify(short).length <= LONGEST_ANSWER) return short;
  const total = rows.list.length;
  const overhead = JSON.stringify(short).length - JSON.stringify(rows.list).length;
  let room = LONGEST_ANSWER - overhead;
  let shown = 0;
  for (const row of rows.list) {
    room -= JSON.stringify(row).length + 1;
    if (room < 0) break;
    shown++;
  }
  rows.list.length = shown;
  return { ...short, left_out: `${total - shown} of ${total} rows did not fit: ask for fewer, or narrow the filters.` };
}

function shorten(value: unknown, inList: boolean): unknown {
  if (typeof value === 'string')
    return inList && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT - 1).toWellFormed()}…` : value;
  if (Array.isArray(value)) {
    const list = value.map((each) => shorten(each, true)).filter((each) => each !== undefined);
    if (list.length === 0) return undefined;
    return list.every(isAddress) ? list.slice(0, 1) : list;
  }
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  const entries = Object.entries(value).flatMap(([name, each]) => {
    const kept = shorten(each, inList);
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const isAddress = (value: unknown): boolean => typeof value === 'string' && /^https?:\/\//.test(value);

/** The longest list of an answer: its data, or one inside of it. */
function longestList(answer: Record<string, unknown>): { list: unknown[] } | undefined {
  const { data } = answer;
  const lists = (Array.isArray(data) ? [data] : Object.values(data ?? {})).filter((each) => Array.isArray(each));
  const sized = lists.map((list) => ({ list, size: JSON.stringify(list).length }));
  return sized.toSorted((a, b) => b.size - a.size)[0];
}
