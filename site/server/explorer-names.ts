/** Enumerations of filters. */
export const LISTS: Readonly<Record<string, string>> = {
  listing_type: 'listing_types',
  listing_category: 'listing_categories',
  property_type: 'property_types',
  rent_frequency: 'rent_frequencies',
  amenities: 'amenities',
  amenities_exclude: 'amenities',
  floor: 'floors',
  advertiser_type: 'advertiser_types',
};

/** Enumerations that the explorer names besides those of filters. */
const OTHERS = ['sorts', 'project_statuses', 'coverage_flags'];

export const NAMED: readonly string[] = [...new Set([...Object.values(LISTS), ...OTHERS])];
