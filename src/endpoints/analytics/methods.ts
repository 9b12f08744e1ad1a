import {
  CIRCLES,
  FRESH_DAYS,
  MAX_DISTANCE,
  MAX_GAP,
  MIN_GAP,
  MIN_SAMPLE,
  MIN_SURE_GAP,
} from '#domain/statistics/deals.ts';
import {
  AGE_CLASSES,
  AREA_TOLERANCE_PCT,
  LARGEST_RADIUS,
  LOOK_BACK_DAYS,
  RADII,
} from '#domain/statistics/price-band.ts';
import { WINDOW_DAYS } from '#queries/market/window.ts';

const km = (meters: number): string => (meters < 1_000 ? `${meters} m` : `${meters / 1_000} km`);
const nearest = Math.min(...CIRCLES.map(({ radius }) => radius));

const AGES = AGE_CLASSES.map(({ min, max }) =>
  max === null ? `${min} years and more` : `${min} to ${max} years`,
).join(', ');

const alike = `live listings of the same city, listing type and property type with two thirds to one and a half of the area, updated in the last ${FRESH_DAYS} days: within ${km(nearest)} and with as many bedrooms where there are at least ${MIN_SAMPLE}, otherwise in wider circles up to ${km(MAX_DISTANCE)} and at last whatever their bedrooms (\`criteria\`)`;

/**
 * What a listing is held against, in each of the four answers that compare it. They differ because they answer different
 * questions; each answer says in `method` what it looks at and where the others look.
 */
export const METHODS = {
  comparables: `Compares with ${alike}. Market position compares with a whole neighborhood and city whatever the area; the price band and deals only with homes within ${AREA_TOLERANCE_PCT}% of the area, over ${LOOK_BACK_DAYS} days, without rents by the day or week.`,
  deals: `Compares each listing with the homes of its price band, as of the last ingest run: \`/listings/{id}/price-band\` returns the same median and quartiles. A deal is from ${MIN_GAP}% to ${MAX_GAP}% below the median and below the lower quartile, in price and in price per square meter, and at least ${MIN_SURE_GAP}% below the lower end of the interval of the median. A listing that is further below is taken for a mistake and is not a deal. A listing that states its age is compared with homes of its age only, and several ads of one home are one deal. Listings whose text says that the price is not the price of the whole home are not deals. Types without a price band, such as land, farms, chalets and rooms, have no deals.`,
  market_position: `Compares with all other live listings of the same city, listing type, property type and bedrooms updated in the last ${WINDOW_DAYS} days, in the whole neighborhood and in the whole city, whatever their area and distance. Comparables and deals look at listings nearby of about the same area; the price band at still more similar homes.`,
  price_band: `Compares with other live homes of the same city, listing type, property type and bedrooms, within ${AREA_TOLERANCE_PCT}% of the area and updated in the last ${LOOK_BACK_DAYS} days. Homes of the same age class (${AGES}) within ${RADII.slice(0, -1).map(km).join(' or ')} come first, then homes of all ages within the same distance, then both within ${km(LARGEST_RADIUS)}. A listing without a location is compared with the homes of its neighborhood (\`cohort.geography\`). Each home counts once, and rents by the day or week are left out. Comparables take a wider range of areas and a shorter time; market position compares with a whole neighborhood and city whatever the area.`,
} as const;
