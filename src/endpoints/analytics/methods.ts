import { CIRCLES, FRESH_DAYS, MAX_DISTANCE, MIN_SAMPLE } from '#domain/deals.ts';
import { AREA_TOLERANCE_PCT, LARGEST_RADIUS, LOOK_BACK_DAYS, RADII } from '#domain/price-band.ts';
import { WINDOW_DAYS } from '#queries/market/window.ts';

const km = (meters: number): string => (meters < 1_000 ? `${meters} m` : `${meters / 1_000} km`);
const nearest = Math.min(...CIRCLES.map(({ radius }) => radius));

const alike = `live listings of the same city, listing type and property type with two thirds to one and a half of the area, updated in the last ${FRESH_DAYS} days: within ${km(nearest)} and with as many bedrooms where there are at least ${MIN_SAMPLE}, otherwise in wider circles up to ${km(MAX_DISTANCE)} and at last whatever their bedrooms (\`criteria\`)`;

/**
 * What a listing is held against, in each of the four answers that compare it. They differ because they answer different
 * questions; each answer says in `method` what it looks at and where the others look.
 */
export const METHODS = {
  comparables: `Compares with ${alike}. A deal is compared with the same listings, as they were at the last ingest run. Market position looks at a whole neighborhood and city whatever the area; the price band only at homes within ${AREA_TOLERANCE_PCT}% of the area, over ${LOOK_BACK_DAYS} days, without rents by the day or week.`,
  deals: `Compares with ${alike}. Worked out after every ingest run; \`/listings/{id}/comparables\` compares with the same listings as they are now. Where more than a thousand are near, a part of them is looked at. Market position looks at a whole neighborhood and city whatever the area; the price band only at homes within ${AREA_TOLERANCE_PCT}% of the area, over ${LOOK_BACK_DAYS} days, without rents by the day or week.`,
  market_position: `Compares with all other live listings of the same city, listing type, property type and bedrooms updated in the last ${WINDOW_DAYS} days, in the whole neighborhood and in the whole city, whatever their area and distance. Comparables and deals look at listings nearby of about the same area; the price band at still more similar homes.`,
  price_band: `Compares with other live homes of the same city, listing type, property type and bedrooms, within ${AREA_TOLERANCE_PCT}% of the area, updated in the last ${LOOK_BACK_DAYS} days, within ${km(Math.min(...RADII))} where there are enough, otherwise within up to ${km(LARGEST_RADIUS)}: one observation a home, without rents by the day or week. Comparables and deals take a wider range of areas and a shorter time; market position looks at a whole neighborhood and city whatever the area.`,
} as const;
