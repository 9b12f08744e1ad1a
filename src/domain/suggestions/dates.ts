// Date-times in other notations. The schema checks validity afterwards.
const MOMENT =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(\.\d+)?)?)?\s*(Z|UTC|GMT|[+-]?\d{2}(?::?\d{2})?)?$/i;

/** A date as printed by programs, in a time zone: `Thu, 01 Jan 2026 00:00:00 GMT`. */
const HTTP_DATE = /^[a-z]{3},? .*\d\d:\d\d:\d\d (GMT|UTC|[+-]\d{4})/i;

/**
 * Returns whether a date has a space in place of the `+` of its time zone offset. An unescaped `+` in a URL query
 * decodes to a space.
 */
export const lostPlus = (text: string): boolean => /\d:\d{2}(\.\d+)? \d{2}:?\d{2}$/.test(text);

/**
 * Returns the times that a text in another ISO form or in Unix time may mean: date-times with seconds and a time zone,
 * then days.
 */
export function momentsOf(text: string): string[] {
  if (/^\d{10}$|^\d{13}$/.test(text)) {
    const instant = new Date(Number(text.padEnd(13, '0'))).toISOString();
    return [`${instant.slice(0, 19)}Z`, instant.slice(0, 10)];
  }
  const match = MOMENT.exec(text);
  if (!match) return HTTP_DATE.test(text) && Date.parse(text) ? [new Date(text).toISOString()] : [];
  const [, year, month = '', day = '', hour = '0', minute = '00', second = '00', fraction = '', zone] = match;
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return [`${date}T${hour.padStart(2, '0')}:${minute}:${second}${fraction}${zoneOf(zone)}`, date];
}

function zoneOf(zone = 'Z'): string {
  const [, sign = '+', hours, minutes = '00'] = /^([+-])?(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  return hours === undefined ? 'Z' : `${sign || '+'}${hours}:${minutes}`;
}

/** Returns the periods that a text such as `2025Q3`, `Q3 2025`, `202507` or `2025-07-01` may mean. */
export function periodsOf(text: string): string[] {
  const quarter = /^(\d{4})[-/ _]?q?([1-4])$/i.exec(text) ?? swapped(/^q?([1-4])[-/ _]?(\d{4})$/i.exec(text));
  const month =
    /^(\d{4})[-/._ ]?(\d{1,2})(?:[-/.]\d{1,2}.*)?$/.exec(text) ?? swapped(/^(\d{1,2})[-/._ ](\d{4})$/.exec(text));
  const year = /^\d{4}$/.exec(text);
  return [
    ...(quarter ? [`${quarter[1]}-Q${quarter[2]}`] : []),
    ...(month ? [`${month[1]}-${String(month[2]).padStart(2, '0')}`] : []),
    ...(month ? [`${month[1]}-Q${Math.ceil(Number(month[2]) / 3)}`] : []),
    ...(year ? [`${year[0]}-Q1`, `${year[0]}-01`] : []),
  ];
}

const swapped = (match: RegExpExecArray | null): (string | undefined)[] | null =>
  match && [match[0], match[2], match[1]];
