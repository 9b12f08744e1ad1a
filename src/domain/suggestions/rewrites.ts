/**
 * Parameters of other APIs, whose values mean parameters of this one under other names. Only numbers are repeated in
 * suggestions, because values of unknown parameters can be secrets.
 */

const NUMBER = /^-?\d{1,3}(\.\d{1,9})?$/;
const LATITUDE = /^(lat|latitude)$/i;
const LONGITUDE = /^(lng|lon|long|longitude)$/i;
const RADIUS = /^(radius|radius_?m|radius_meters|distance)$/i;
const RADIUS_KM = /^(radius|distance)_?km$/i;
const MONTHS = /^(\d{1,2}) ?(m|mo|months?)?$/i;

/** Returns the parameters that a request with an unknown one means, as in a query string, or null. */
export function rewriteParameters(
  param: string,
  unknown: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
): string | null {
  const numberOf = (name: RegExp): string | undefined =>
    [...unknown].find(([each, text]) => name.test(each) && NUMBER.test(text))?.[1];
  const [lat, lng] = [numberOf(LATITUDE), numberOf(LONGITUDE)];
  const isOfCircle = [LATITUDE, LONGITUDE, RADIUS, RADIUS_KM].some((name) => name.test(param));
  if (isOfCircle && known.has('near') && lat !== undefined && lng !== undefined) {
    const meters = [...unknown].find(([name, text]) => RADIUS.test(name) && /^\d{1,6}$/.test(text))?.[1];
    const km = numberOf(RADIUS_KM);
    const radius = meters ?? (km === undefined ? undefined : String(Math.round(Number(km) * 1_000)));
    return `near=${lat},${lng}${radius === undefined ? '' : `&radius_m=${radius}`}`;
  }
  const months = /^(period|range|duration|window)$/i.test(param)
    ? MONTHS.exec(unknown.get(param) ?? '')?.[1]
    : undefined;
  return months !== undefined && known.has('months') ? `months=${months}` : null;
}

const POSITION = /(-?\d+(?:\.\d+)?)\s+(-?\d+(?:\.\d+)?)/g;

/** Converts a WKT polygon, whose positions have the longitude first, to `lat,lng;lat,lng;...`, or returns null. */
export function polygonOfWkt(text: string): string | null {
  if (!/^\s*POLYGON\s*\(\(/i.test(text)) return null;
  const points = [...text.matchAll(POSITION)].map(([, lng, lat]) => `${lat},${lng}`);
  // The last position of a ring repeats the first.
  return (points.at(-1) === points[0] ? points.slice(0, -1) : points).join(';');
}

const MOVED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  beds: { studio: 'property_type=studio', studios: 'property_type=studio', ستوديو: 'property_type=studio' },
};

export function otherParameter(name: string, text: string, known: ReadonlySet<string>): string | null {
  const moved = MOVED[name]?.[text.trim().toLowerCase()];
  return moved !== undefined && known.has(moved.slice(0, moved.indexOf('='))) ? moved : null;
}
