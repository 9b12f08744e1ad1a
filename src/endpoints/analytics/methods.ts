import {
  CIRCLES,
  FRESH_DAYS,
  MAX_DISTANCE,
  MAX_GAP,
  MIN_GAP,
  MIN_SAMPLE,
  MIN_SURE_GAP,
} from '#domain/statistics/deals.ts';
import { AREA_ELASTICITY, MAX_COMPARABLES } from '#domain/statistics/estimate.ts';
import {
  AGE_CLASSES,
  AREA_TOLERANCE_PCT,
  LARGEST_RADIUS,
  LOOK_BACK_DAYS,
  MAX_NEARBY,
  RADII,
} from '#domain/statistics/price-band.ts';
import { WINDOW_DAYS } from '#queries/market/cohort.ts';

const km = (meters: number): string => (meters < 1_000 ? `${meters} m` : `${meters / 1_000} km`);
const nearest = Math.min(...CIRCLES.map(({ radius }) => radius));

/** Without the flags of listings that searches never show. */
const FLAGGED = 'Listings with the quality flag `text_price_differs` or `starting_price` are excluded.';

const AGES = AGE_CLASSES.map(({ min, max }) =>
  max === null ? `${min} years and more` : `${min} to ${max} years`,
).join(', ');

const comparable = `live listings of the same city, listing type and property type with two thirds to one and a half times the area, updated in the last ${FRESH_DAYS} days: within ${km(nearest)} and with the same number of bedrooms if there are at least ${MIN_SAMPLE}, otherwise within larger radii up to ${km(MAX_DISTANCE)} and finally with any number of bedrooms (\`criteria\`)`;

/** The methods differ on purpose. */
export const METHODS = {
  comparables: `Compares the listing with ${comparable}. ${FLAGGED} Market position compares with the entire neighborhood and city, for any area; the price band and deals only with homes within ${AREA_TOLERANCE_PCT}% of the area, over ${LOOK_BACK_DAYS} days, excluding daily and weekly rents.`,
  deals: `Compares each listing with the homes of its price band, as of the last ingest run: \`/listings/{id}/price-band\` returns the same median and quartiles. A deal is from ${MIN_GAP}% to ${MAX_GAP}% below the median and below the lower quartile, in price and in price per square meter, and at least ${MIN_SURE_GAP}% below the lower end of the interval of the median. A listing further below is treated as an error, not a deal. A listing that states its age is compared only with homes of its age, and several ads for one home are one deal. ${FLAGGED} Listings without a price band, such as land, farms, chalets, rooms and homes without a location, are no deals.`,
  estimate: `Returns the weighted median of the asking prices of up to ${MAX_COMPARABLES} similar homes, each adjusted to the area of the home: the price changes with the power ${AREA_ELASTICITY} of the area. Candidates are the ${MAX_NEARBY} nearest live homes of the same city, listing type and property type within ${km(LARGEST_RADIUS)}, within ${AREA_TOLERANCE_PCT}% of the area and updated in the last ${LOOK_BACK_DAYS} days; a home without a point is compared with the homes of its neighborhood, and if these are too few, also with those around its center. Weights fall with the distance and with differences in area, bedrooms and age. Intervals are from the errors of the method for the comparables, each estimated without the homes of its building. Each home counts once, and daily and weekly rents are excluded. ${FLAGGED}`,
  market_position: `Compares the listing with all live listings of the same city, listing type, property type and bedrooms updated in the last ${WINDOW_DAYS} days, in the entire neighborhood and in the entire city, for any area and distance. The listing itself is counted if it meets these conditions. Comparables and deals use nearby listings of about the same area; the price band uses even more similar homes.`,
  price_band: `Compares the listing with other live homes of the same city, listing type, property type and bedrooms, within ${AREA_TOLERANCE_PCT}% of the area and updated in the last ${LOOK_BACK_DAYS} days. The first of these cohorts with enough homes is used: homes of the same age class (${AGES}) within ${RADII.slice(0, -1).map(km).join(', then ')}; homes of all ages within the same distances; homes of the same age class, then of all ages, within ${km(LARGEST_RADIUS)}. A listing without a location has no price band. Each home counts once, and daily and weekly rents are excluded. ${FLAGGED} Comparables use a wider range of areas and a shorter period; market position compares with the entire neighborhood and city, for any area.`,
} as const;
