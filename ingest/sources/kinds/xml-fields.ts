import { contentId, record } from './fields.ts';
import type { XmlRow } from './xml-records.ts';

/** Returns null if it is empty or missing. Of a repeated element, the first counts. */
export function textOf(value: unknown): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  const text = typeof first === 'string' ? first : record(first)['#text'];
  return typeof text === 'string' && text !== '' ? text : null;
}

export function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const text = textOf(value);
    if (text !== null) return text;
  }
  return null;
}

export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((each) => textOf(each) ?? []);
}

/** For layouts whose exporters differ in case. */
export function lowerCased(row: XmlRow): XmlRow {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Portals state parts of a city, such as `North Riyadh`, between the city and the neighborhood. */
const PART_OF_CITY = /^(?:(?:north|south|east|west|central|middle)(?:ern)? |(?:شمال|جنوب|شرق|غرب|وسط) )/i;

export function neighborhoodOf(area: string | null, subArea: string | null): string | null {
  return area === null || (subArea !== null && PART_OF_CITY.test(area)) ? subArea : area;
}

/** By the first stated contact, which is not stored. */
export function agentKey(...contacts: readonly unknown[]): string | null {
  const contact = firstText(...contacts);
  return contact === null ? null : contentId([contact.toLowerCase()]);
}
