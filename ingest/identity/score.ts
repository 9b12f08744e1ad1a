import { METERS_PER_DEGREE } from '#domain/geography/distance.ts';
import { SIGNATURE_SIZE } from '../normalize/signature.ts';
import { type AdSet, AMENITY_MASK, type Columns, type SharedText } from './ads.ts';
import { maxPointsOf, type Part, POINTS, TWO_UNITS } from './points.ts';
import { COMMON } from './rarity.ts';

/** The outcome of one part of the comparison of two ads, with its points. */
export interface Evidence {
  /** The compared part; `block` for the number of similar ads, `units` if the ads state different units. */
  part: Part | 'block' | 'units';
  outcome: string;
  points: number;
}

/** A value for each outcome of a part: its points or its name. */
type Outcomes<P extends Part, T> = Readonly<Record<keyof (typeof POINTS)[P], T>>;

/** Compares one part of two ads. Returns the value for the outcome, or `none` if either ad does not state the part. */
type Comparison<P extends Part> = <T>(
  give: Outcomes<P, T>,
  none: T,
  columns: Columns,
  i: number,
  j: number,
  set: AdSet,
) => T;

/** Parts compared together as `details` if one text repeats the other, because copiers fill them in themselves. */
const DETAILS: ReadonlySet<Part> = new Set([
  'distance',
  'bedrooms',
  'age',
  'bathrooms',
  'livings',
  'street',
  'amenities',
  'facing',
]);

/** Evidence that is available before the full comparison, so that most pairs are excluded early. */
export interface Shared {
  /** Whether the ads share a rare photo; otherwise photos add no points. */
  photos: boolean;
  /** Whether the ads share several words that few homes have; otherwise the candidate search found no repeated text. */
  words: boolean;
}

/** Maximum points for text if two ads share hardly any rare words. */
const MAX_OF_COMMON_WORDS = POINTS.text.much;
const MAX_OF_WORDS = maxPointsOf('text');
const MAX_OF_PHOTOS = maxPointsOf('photos');
const MAY_SHARE: Shared = { photos: true, words: true };

const MAX_OF_HOME = maxPointsOf(
  'bedrooms',
  'age',
  'bathrooms',
  'livings',
  'street',
  'amenities',
  'facing',
  'neighborhood',
);
const MAX_AFTER_PRICE = maxPointsOf('distance') + MAX_OF_HOME;
const MAX_AFTER_AREA = maxPointsOf('price') + MAX_AFTER_PRICE;
const MAX_AFTER_SELLER = maxPointsOf('area') + MAX_AFTER_AREA;

/**
 * Returns the score of two ads with the same city, listing type and kind: the sum of the points of all parts. Pure and
 * symmetric. Called for millions of pairs, most of which the fastest comparisons exclude.
 * @param atLeast the exact score is not needed below this value: any lower score may be returned
 */
export function similarity(
  set: AdSet,
  i: number,
  j: number,
  atLeast = Number.NEGATIVE_INFINITY,
  shared: Shared = MAY_SHARE,
): number {
  if (areTwoUnits(set, i, j)) return TWO_UNITS;
  const { columns } = set;
  const photos = shared.photos ? MAX_OF_PHOTOS : 0;
  const wordsAndPhotos = photos + (shared.words ? MAX_OF_WORDS : MAX_OF_COMMON_WORDS);
  // Points are multiples of one quarter and the penalty has 24 bits, so the sum is exact in any order.
  let score = -blockPenalty(columns, i, j);
  score += COMPARISONS.floor(POINTS.floor, 0, columns, i, j, set);
  score += COMPARISONS.unit(POINTS.unit, 0, columns, i, j, set);
  score += COMPARISONS.before(POINTS.before, 0, columns, i, j, set);
  score += COMPARISONS.seller(POINTS.seller, 0, columns, i, j, set);
  score += COMPARISONS.type(POINTS.type, 0, columns, i, j, set);
  let most = score + MAX_AFTER_SELLER + wordsAndPhotos;
  if (most < atLeast) return most;
  if (shared.words && isRepetition(set, i, j)) {
    score += COMPARISONS.area(POINTS.area, 0, columns, i, j, set);
    score += COMPARISONS.price(POINTS.price, 0, columns, i, j, set);
    score += COMPARISONS.details(POINTS.details, 0, columns, i, j, set);
    score += COMPARISONS.neighborhood(POINTS.neighborhood, 0, columns, i, j, set);
    score += COMPARISONS.text(POINTS.text, 0, columns, i, j, set);
    return score + COMPARISONS.photos(POINTS.photos, 0, columns, i, j, set);
  }
  score += COMPARISONS.area(POINTS.area, 0, columns, i, j, set);
  most = score + MAX_AFTER_AREA + wordsAndPhotos;
  if (most < atLeast) return most;
  score += COMPARISONS.price(POINTS.price, 0, columns, i, j, set);
  most = score + MAX_AFTER_PRICE + wordsAndPhotos;
  if (most < atLeast) return most;
  score += COMPARISONS.distance(POINTS.distance, 0, columns, i, j, set);
  most = score + MAX_OF_HOME + wordsAndPhotos;
  if (most < atLeast) return most;
  score += COMPARISONS.bedrooms(POINTS.bedrooms, 0, columns, i, j, set);
  score += COMPARISONS.age(POINTS.age, 0, columns, i, j, set);
  score += COMPARISONS.bathrooms(POINTS.bathrooms, 0, columns, i, j, set);
  score += COMPARISONS.livings(POINTS.livings, 0, columns, i, j, set);
  score += COMPARISONS.street(POINTS.street, 0, columns, i, j, set);
  score += COMPARISONS.amenities(POINTS.amenities, 0, columns, i, j, set);
  score += COMPARISONS.facing(POINTS.facing, 0, columns, i, j, set);
  score += COMPARISONS.neighborhood(POINTS.neighborhood, 0, columns, i, j, set);
  most = score + wordsAndPhotos;
  if (most < atLeast) return most;
  score += COMPARISONS.text(POINTS.text, 0, columns, i, j, set);
  most = score + photos;
  if (most < atLeast) return most;
  return score + COMPARISONS.photos(POINTS.photos, 0, columns, i, j, set);
}

/** Outcome names for each part. */
const NAMES = Object.fromEntries(
  Object.entries(POINTS).map(([part, outcomes]) => [
    part,
    Object.fromEntries(Object.keys(outcomes).map((outcome) => [outcome, outcome])),
  ]),
) as { readonly [P in Part]: Outcomes<P, string> };

const outcomeOf = <P extends Part>(part: P, set: AdSet, i: number, j: number): string | null =>
  COMPARISONS[part]<string | null>(NAMES[part], null, set.columns, i, j, set);

/** Returns the evidence for the points that `similarity` adds up, part by part. */
export function evidenceOf(set: AdSet, i: number, j: number): Evidence[] {
  const { columns } = set;
  const evidence: Evidence[] = [];
  const repeated = isRepetition(set, i, j);
  for (const part of PARTS) {
    if (repeated ? DETAILS.has(part) : part === 'details') continue;
    const outcome = outcomeOf(part, set, i, j);
    if (outcome !== null)
      evidence.push({ part, outcome, points: (POINTS[part] as Record<string, number>)[outcome] as number });
  }
  const penalty = blockPenalty(columns, i, j);
  if (penalty !== 0)
    evidence.push({ part: 'block', outcome: penalty > 0 ? 'many_alike' : 'few_alike', points: -penalty });
  if (areTwoUnits(set, i, j)) evidence.push({ part: 'units', outcome: 'two', points: TWO_UNITS });
  return evidence;
}

/**
 * Returns whether two ads are for different units: they state different floors or units, or one advertiser lists both
 * on the same source at the same time and neither repeats the other. An advertiser lists a property only once.
 */
export function areTwoUnits(set: AdSet, i: number, j: number): boolean {
  const { floor, exactFloor, unit, source, advertiser } = set.columns;
  if (exactFloor[i] === 1 && exactFloor[j] === 1 && floor[i] !== floor[j]) return true;
  if (unit[i] !== 0 && unit[j] !== 0 && unit[i] !== unit[j]) return true;
  if (source[i] !== source[j] || advertiser[i] === 0 || advertiser[i] !== advertiser[j]) return false;
  return !isRepeated(set, i, j);
}

/** Maximum price difference between repeated ads for one home, as a share of the price. */
const REPRICED = 0.1;

/** Maximum difference in square meters between areas of one home that one advertiser states twice. */
const RESTATED = 0.5;

/**
 * Returns whether one ad of an advertiser repeats the other: the same area, and either the same price and unit, or
 * about the same price, the same text and at least half of the photos; or, if neither has photos, exactly the same
 * price and floor.
 */
function isRepeated(set: AdSet, i: number, j: number): boolean {
  const { unit, floor, area, textArea, price, photos } = set.columns;
  if (!(Math.abs((area[i] as number) - (area[j] as number)) < RESTATED)) return false;
  // The field of two units is sometimes the same, and the text states which is which.
  if (Math.abs((textArea[i] as number) - (textArea[j] as number)) >= RESTATED) return false;
  const isOnePrice = price[i] === price[j];
  if (isOnePrice && unit[i] !== 0 && unit[i] === unit[j]) return true;
  if (!(shareApart(price[i] as number, price[j] as number) <= REPRICED)) return false;
  if (!isRepetition(set, i, j)) {
    const equal = isOnePrice && floor[i] !== 0 && floor[i] === floor[j];
    return equal && set.photoCount(i) + set.photoCount(j) === 0;
  }
  if (set.samePhotos(i, j)) return true;
  const left = photos.of(i);
  const shared = photos.of(j).filter((photo) => left.includes(photo)).length;
  return shared * 2 >= Math.max(set.photoCount(i), set.photoCount(j));
}

function blockPenalty(columns: Columns, i: number, j: number): number {
  const { blockPenalty: block, cityPenalty: city, neighborhood, lat } = columns;
  // If the ads state neither two neighborhoods nor two points, they may be for any two homes in the city.
  const placed =
    (neighborhood[i] !== 0 && neighborhood[j] !== 0) || !Number.isNaN((lat[i] as number) + (lat[j] as number));
  const penalty = placed ? block : city;
  return Math.max(penalty[i] as number, penalty[j] as number);
}

/** Shares of ads in a set with the same area: rare below `RARE_AREA`, common from `COMMON_AREA` on. */
const RARE_AREA = 0.006;
const COMMON_AREA = 0.03;
/** Maximum difference, as a share of the larger area, that can result from rounding a small home's area. */
const ROUNDED_APART = 0.08;
/** Maximum usual difference between a home's area and its plot's area, as a share of the larger. */
const PLOT_APART = 0.65;
/** Minimum difference, as a share of the larger number, that indicates an extra digit rather than another home. */
const EXTRA_DIGIT = 0.85;

/** Returns whether an area in the field or text of one ad equals an area of the other. */
function haveCommonReading({ area, textArea, plotArea }: Columns, i: number, j: number): boolean {
  return (
    isOneArea(textArea[i] as number, textArea[j] as number) ||
    isOneArea(textArea[i] as number, area[j] as number) ||
    isOneArea(area[i] as number, textArea[j] as number) ||
    isOneArea(plotArea[i] as number, area[j] as number) ||
    isOneArea(area[i] as number, plotArea[j] as number)
  );
}

const isOneArea = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(2.5, 0.01 * Math.max(a, b));

const isRounding = (whole: number, exact: number): boolean =>
  (whole % 10 === 0 && Math.abs(whole - exact) <= 5) || (whole % 25 === 0 && Math.abs(whole - exact) <= 12.5);

/** Share of ads in a set below which a price is rare. */
const RARE_PRICE = 0.002;

/** Maximum ratio of annualized rent to yearly rent, for monthly payments, and for daily or weekly payments. */
const MONTHLY_MORE = 1.3;
const DAILY_MORE = 2.5;

/** Returns whether rents with different periods may be for one home: a shorter period costs more per year. */
function isOtherPeriod(a: number, paymentsOfA: number, b: number, paymentsOfB: number): boolean {
  const more = paymentsOfA > paymentsOfB ? a / b : b / a;
  return more >= 0.92 && more <= (Math.max(paymentsOfA, paymentsOfB) > 12 ? DAILY_MORE : MONTHLY_MORE);
}

/** Returns whether one price is about a power of ten times the other, or a monthly one (a factor of 12). */
function hasExtraDigit(a: number, b: number): boolean {
  const digits = Math.abs(Math.log10(a / b));
  return Math.abs(digits - Math.round(digits)) <= 0.1;
}

const shareApart = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b);

/** Number of homes at a location above which it is a building, or a point for a whole neighborhood. */
const CROWD = 5;

/** Returns the squared distance between two ads in square meters; NaN if either has no point. */
function squaredDistance({ lat, lng, eastward }: Columns, i: number, j: number): number {
  const north = ((lat[i] as number) - (lat[j] as number)) * METERS_PER_DEGREE;
  const perDegree = ((eastward[i] as number) + (eastward[j] as number)) / 2;
  const east = ((lng[i] as number) - (lng[j] as number)) * perDegree;
  return north * north + east * east;
}

/** Number of bedrooms from which the value counts as a typing error. */
const IMPLAUSIBLE_BEDROOMS = 20;

/** Distance in meters above which ads are in different neighborhoods, unless both state a neighborhood. */
const BEYOND_NEIGHBORHOOD = 3_000;

const FAR_APART = { m50: 0, m50_crowded: 0, m130: 0, m250: 0, m600: 0, m1500: 1, far: 1 };

/** Returns whether one text repeats the other, judged by words that few homes have. */
function isRepetition(set: AdSet, i: number, j: number): boolean {
  const shared = set.sharedText(i, j);
  return shared !== null && isRepeatedBy(shared);
}

const isRepeatedBy = ({ equal, few, rare }: SharedText): boolean =>
  equal >= REPEATED && few >= REPEATED_FEW && (equal >= WHOLE || rare >= REPEATED_RARE);

/**
 * Conditions for a repeated text. At least `REPEATED` signature positions are equal, and few homes have the values of
 * at least `REPEATED_FEW` of them. In addition, either `WHOLE` positions are equal, or their rarity weights sum to
 * `REPEATED_RARE`.
 */
const REPEATED = 0.6 * SIGNATURE_SIZE;
const WHOLE = 0.95 * SIGNATURE_SIZE;
const REPEATED_FEW = 2;
const REPEATED_RARE = 0.12 * SIGNATURE_SIZE;

/** Returns whether bits have fewer than two ones: one amenity says little. */
const isFew = (bits: number): boolean => (bits & (bits - 1)) === 0;

/** Number of homes above which a set of amenities is that of a compound, or usual. */
const FEW_HOMES_OF_AMENITIES = 2;

/** Number of homes above which a photo shows a building or is a placeholder. */
const FEW_HOMES_OF_PHOTO = 6;

/** Comparison functions, in the order in which evidence is listed. */
const COMPARISONS: { readonly [P in Part]: Comparison<P> } = {
  floor(give, none, { floor }, i, j) {
    // Different values are no evidence, because `upper` or a list of floors may include the floor of the other ad.
    return floor[i] !== 0 && floor[i] === floor[j] ? give.equal : none;
  },
  unit(give, none, { unit }, i, j) {
    return unit[i] !== 0 && unit[i] === unit[j] ? give.equal : none;
  },
  before(give, none, { leader }, i, j) {
    return leader[i] === leader[j] ? give.one_property : none;
  },
  seller(give, none, { source, advertiser, area, price }, i, j, set) {
    const same = advertiser[i] !== 0 && advertiser[i] === advertiser[j];
    if (source[i] !== source[j]) return same ? give.same_elsewhere : none;
    // For ads from one advertiser on one source, this line is reached only if one ad repeats the other.
    if (same)
      return price[i] === price[j] && area[i] === area[j] && isRepetition(set, i, j)
        ? give.same_repeated
        : give.same_changed;
    return advertiser[i] === advertiser[j] ? give.unsigned_on_source : give.other_on_source;
  },
  type(give, none, { type }, i, j) {
    return type[i] === type[j] ? none : give.other;
  },
  area(give, none, columns, i, j) {
    const { area, areaShare, textArea, hasPlot } = columns;
    const a = area[i] as number;
    const b = area[j] as number;
    const meters = Math.abs(a - b);
    if (Number.isNaN(meters)) return none;
    if (meters < 0.5) {
      const share = Math.max(areaShare[i] as number, areaShare[j] as number);
      return share < RARE_AREA ? give.equal_rare : share < COMMON_AREA ? give.equal : give.equal_common;
    }
    const apart = meters / Math.max(a, b);
    // Advertisers round, so a difference of a few meters is weak evidence for any size.
    if (meters <= 2.5 || apart <= 0.01) return give.close;
    if (haveCommonReading(columns, i, j)) return give.other_reading;
    if (apart > EXTRA_DIGIT) return give.extra_digit;
    const rounded = isRounding(a, b) || isRounding(b, a);
    if (apart > 0.05) {
      if (rounded && apart <= ROUNDED_APART) return give.rounded_widely;
      // One of the areas may be the plot's, unless both texts state the home's area.
      const mayBePlot = hasPlot[i] === 1 && hasPlot[j] === 1 && apart <= PLOT_APART;
      return mayBePlot && Number.isNaN((textArea[i] as number) + (textArea[j] as number))
        ? give.apart_plot
        : give.apart;
    }
    return rounded ? give.rounded : give.within_5_percent;
  },
  price(give, none, { price, priceShare, previousPrice, payments }, i, j) {
    const a = price[i] as number;
    const b = price[j] as number;
    if (a === b)
      return Math.max(priceShare[i] as number, priceShare[j] as number) < RARE_PRICE ? give.equal_rare : give.equal;
    const apart = shareApart(a, b);
    if (Number.isNaN(apart)) return none;
    if (apart <= 0.03) return apart <= 0.01 ? give.within_1_percent : give.within_3_percent;
    // One source may still show the other's previous price, and some prices alternate.
    if (
      shareApart(previousPrice[i] as number, b) <= 0.01 ||
      shareApart(a, previousPrice[j] as number) <= 0.01 ||
      shareApart(previousPrice[i] as number, previousPrice[j] as number) <= 0.01
    )
      return give.earlier_price;
    if (payments[i] !== payments[j] && isOtherPeriod(a, payments[i] as number, b, payments[j] as number))
      return give.other_period;
    if (apart <= 0.1) return apart <= 0.06 ? give.within_6_percent : give.within_10_percent;
    if (apart <= 0.2) return give.within_20_percent;
    return apart >= EXTRA_DIGIT && hasExtraDigit(a, b) ? give.extra_digit : give.apart;
  },
  distance(give, none, columns, i, j) {
    const square = squaredDistance(columns, i, j);
    if (Number.isNaN(square)) return none;
    if (square <= 50 ** 2) {
      const { crowd } = columns;
      return Math.max(crowd[i] as number, crowd[j] as number) > CROWD ? give.m50_crowded : give.m50;
    }
    if (square <= 130 ** 2) return give.m130;
    if (square <= 600 ** 2) return square <= 250 ** 2 ? give.m250 : give.m600;
    return square <= 1_500 ** 2 ? give.m1500 : give.far;
  },
  bedrooms(give, none, { bedrooms }, i, j) {
    const a = bedrooms[i] as number;
    const b = bedrooms[j] as number;
    const apart = Math.abs(a - b);
    if (Number.isNaN(apart)) return none;
    if (apart <= 1) return apart === 0 ? give.equal : give.one_off;
    return Math.max(a, b) >= IMPLAUSIBLE_BEDROOMS ? give.implausible : give.different;
  },
  age(give, none, { age }, i, j) {
    const years = Math.abs((age[i] as number) - (age[j] as number));
    if (Number.isNaN(years)) return none;
    return years === 0 ? give.equal : years === 1 ? give.one_off : years <= 4 ? give.some_years : give.different;
  },
  bathrooms(give, none, { bathrooms }, i, j) {
    const apart = Math.abs((bathrooms[i] as number) - (bathrooms[j] as number));
    return Number.isNaN(apart) ? none : apart === 0 ? give.equal : give.different;
  },
  livings(give, none, { livings }, i, j) {
    const apart = Math.abs((livings[i] as number) - (livings[j] as number));
    return Number.isNaN(apart) ? none : apart === 0 ? give.equal : give.different;
  },
  street(give, none, { streetWidth }, i, j) {
    const apart = Math.abs((streetWidth[i] as number) - (streetWidth[j] as number));
    return Number.isNaN(apart) ? none : apart < 0.5 ? give.equal : give.different;
  },
  amenities(give, none, { features, amenityHomes, amenityShared, amenityAlone }, i, j) {
    const a = (features[i] as number) & AMENITY_MASK;
    const b = (features[j] as number) & AMENITY_MASK;
    if (isFew(a) || isFew(b)) return none;
    let sum = 0;
    for (let bit = 0; a >> bit !== 0 || b >> bit !== 0; bit++) {
      const stated = ((a >> bit) & 1) + ((b >> bit) & 1);
      if (stated !== 0) sum += (stated === 2 ? amenityShared : amenityAlone)[bit] as number;
    }
    // Units of a compound have the same amenities.
    const homes = Math.max(amenityHomes[i] as number, amenityHomes[j] as number);
    if (sum >= -1 && homes > FEW_HOMES_OF_AMENITIES) return none;
    if (sum >= 1) return sum >= 4 ? give.alike_rare : sum >= 2.5 ? give.alike : give.alike_common;
    if (sum >= -3) return sum >= -1 ? give.similar : give.unlike;
    return sum >= -5 ? give.different : give.very_different;
  },
  facing(give, none, { features }, i, j) {
    const a = (features[i] as number) & ~AMENITY_MASK;
    const b = (features[j] as number) & ~AMENITY_MASK;
    return a === 0 || b === 0 ? none : a === b ? give.equal : give.different;
  },
  neighborhood(give, none, columns, i, j) {
    const { neighborhood } = columns;
    if (neighborhood[i] === 0 || neighborhood[j] === 0)
      return squaredDistance(columns, i, j) > BEYOND_NEIGHBORHOOD ** 2 ? give.different : none;
    return neighborhood[i] === neighborhood[j] ? give.equal : give.different;
  },
  text(give, none, _, i, j, set) {
    const shared = set.sharedText(i, j);
    if (shared === null) return none;
    const { equal } = shared;
    const rare = shared.rare / SIGNATURE_SIZE;
    if (isRepeatedBy(shared)) return equal >= WHOLE ? give.whole : give.repeated;
    if (rare >= 0.2 || equal >= REPEATED) return give.much;
    return rare >= 0.05 ? give.some : rare < 0.02 && equal < 0.25 * SIGNATURE_SIZE ? give.other_words : none;
  },
  photos(give, none, { photos }, i, j) {
    const fewest = Math.min(photos.counts[i] as number, photos.counts[j] as number);
    if (fewest === 0) return none;
    const right = photos.of(j);
    let shared = 0;
    let homes = COMMON;
    for (const photo of photos.of(i)) {
      if (!right.includes(photo)) continue;
      shared++;
      homes = Math.min(homes, photos.homesOf(photo));
    }
    if (shared === 0) return give.none;
    if (homes >= COMMON) return none;
    const half = shared * 2 >= fewest;
    if (homes <= FEW_HOMES_OF_PHOTO) {
      if (!half) return give.one;
      return homes === 1 ? give.half : homes === 2 ? give.half_of_two : give.half_of_few;
    }
    return half ? give.half_seen_elsewhere : give.one_seen_elsewhere;
  },
  /** Compares the details of two ads with a repeated text, because copiers fill in the other fields themselves. */
  details(give, _none, columns, i, j, set) {
    const { bedrooms, bathrooms, livings, age, streetWidth } = columns;
    let differ = COMPARISONS.distance(FAR_APART, 0, columns, i, j, set);
    for (const column of [bedrooms, bathrooms, livings, age, streetWidth])
      if (Math.abs((column[i] as number) - (column[j] as number)) >= 0.5) differ++;
    if (differ === 0) return give.equal;
    return differ === 1 ? give.one_differs : differ === 2 ? give.two_differ : give.several_differ;
  },
};
const PARTS = Object.keys(COMPARISONS) as Part[];
