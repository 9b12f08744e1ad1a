import { valueIn } from '../../normalize/plain-values.ts';
import { contentId, named } from './fields.ts';
import type { XmlRow } from './xml-records.ts';

/** Returns null if it is empty or missing. A value of another shape is returned as it is, to be reported as unread. */
export const textOf = (value: unknown): string | null => valueIn(value, 'text') || null;

/** In upper case; empty if it is missing. */
export const codeOf = (value: unknown): string => String(textOf(value) ?? '').toUpperCase();

export function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) {
    const text = textOf(value);
    if (text !== null) return text;
  }
  return null;
}

/** For layouts whose exporters differ in case. */
export function lowerCased(row: XmlRow): XmlRow {
  return named(Object.entries(row).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Portals state parts of a city, such as `North Riyadh`, between the city and the neighborhood. */
const PART_OF_CITY = /^(?:(?:north|south|east|west|central|middle)(?:ern)? |(?:شمال|جنوب|شرق|غرب|وسط) )/i;

export function neighborhoodOf(area: string | null, subArea: string | null): string | null {
  return area === null || (subArea !== null && PART_OF_CITY.test(area)) ? subArea : area;
}

/** By the first stated contact, which is not stored. */
export function agentKey(...contacts: readonly unknown[]): string | null {
  const contact = firstText(...contacts);
  return contact === null ? null : contentId([String(contact).toLowerCase()]);
}
