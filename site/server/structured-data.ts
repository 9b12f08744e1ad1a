import { NAMES, type PropertyType } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { TEXTS } from '#site/text/index.ts';
import type { Config } from '#src/config.ts';
import { type Language, pathIn } from '#src/documents/language.ts';

/** Types of schema.org. Other property types have the type `Place`. */
const PLACE_TYPES: Readonly<Partial<Record<PropertyType, string>>> = {
  apartment: 'Apartment',
  studio: 'Apartment',
  floor: 'Apartment',
  duplex: 'House',
  villa: 'SingleFamilyResidence',
  townhouse: 'House',
  room: 'Room',
  residential_building: 'ApartmentComplex',
  rest_house: 'House',
  chalet: 'House',
};
/** UN/CEFACT codes of units. */
const UNITS = { squareMeter: 'MTK', year: 'ANN' } as const;

interface DescribedListing {
  listing: Listing;
  title: string;
  description: string;
  city: string;
  url: string;
  language: Language;
}

/** Returns a listing and its offer as objects of schema.org. Undefined properties are not part of the JSON. Pure. */
export function listingData({ listing, title, description, city, url, language }: DescribedListing): object {
  const { property_type, bedrooms, bathrooms, area_sqm, location, images, amenities, price } = listing;
  const { lat, lng, neighborhood_name_ar, neighborhood_name_en } = location;
  const named = language === 'ar' ? 'name_ar' : 'name_en';
  const type = PLACE_TYPES[property_type];
  const isRent = listing.listing_type === 'rent';
  const neighborhood = language === 'ar' ? (neighborhood_name_ar ?? neighborhood_name_en) : neighborhood_name_en;
  const amount = { price: price.yearly_sar, priceCurrency: 'SAR' };
  return {
    '@type': 'RealEstateListing',
    url,
    name: title,
    description,
    inLanguage: language,
    datePosted: listing.first_seen_at,
    dateModified: listing.updated_at,
    image: images.length > 0 ? images : undefined,
    mainEntity: {
      '@type': type ?? 'Place',
      name: title,
      ...(type && {
        numberOfBedrooms: bedrooms ?? undefined,
        numberOfBathroomsTotal: bathrooms ?? undefined,
        floorSize:
          area_sqm === null
            ? undefined
            : { '@type': 'QuantitativeValue', value: area_sqm, unitCode: UNITS.squareMeter },
      }),
      amenityFeature:
        amenities.length === 0
          ? undefined
          : amenities.map((amenity) => ({
              '@type': 'LocationFeatureSpecification',
              name: NAMES.amenities[amenity][named],
              value: true,
            })),
      address: {
        '@type': 'PostalAddress',
        streetAddress: neighborhood ?? undefined,
        addressLocality: city,
        addressCountry: 'SA',
      },
      geo: lat === null || lng === null ? undefined : { '@type': 'GeoCoordinates', latitude: lat, longitude: lng },
    },
    offers:
      price.yearly_sar === null
        ? undefined
        : {
            '@type': 'Offer',
            url,
            ...amount,
            availability: 'https://schema.org/InStock',
            businessFunction: `http://purl.org/goodrelations/v1#${isRent ? 'LeaseOut' : 'Sell'}`,
            priceSpecification: {
              '@type': 'UnitPriceSpecification',
              ...amount,
              unitCode: isRent ? UNITS.year : undefined,
            },
          },
  };
}

type SiteIdentity = Pick<Config, 'serviceName' | 'siteUrl' | 'baseUrl'>;

export function siteData({ serviceName, siteUrl, baseUrl }: SiteIdentity, language: Language): object[] {
  const texts = TEXTS[language];
  const page = (path: string): string => `${siteUrl}${pathIn(language, path)}`;
  const publisher = { '@type': 'Organization', name: serviceName, url: `${siteUrl}/` };
  const site = { name: serviceName, url: page('/'), description: texts.home_lead, publisher };
  const datasets = (['listings', 'official', 'index'] as const).map((name) => ({
    '@type': 'Dataset',
    name: texts.datasets[name].name,
    description: texts.datasets[name].text,
    inLanguage: language,
    creator: publisher,
    license: page('/guides/data-use'),
    url: page(name === 'listings' ? '/guides/exports' : '/guides/statistics'),
    isAccessibleForFree: name !== 'listings',
    spatialCoverage: { '@type': 'Place', name: texts.saudi_arabia },
    distribution: [
      {
        '@type': 'DataDownload',
        encodingFormat: name === 'listings' ? 'text/csv' : 'application/json',
        contentUrl: `${baseUrl}${DATASET_PATHS[name]}`,
      },
    ],
  }));
  return [
    { '@type': 'WebSite', inLanguage: language, ...site },
    { '@type': 'DataCatalog', ...site, dataset: datasets },
  ];
}

const DATASET_PATHS = { listings: '/exports', official: '/transactions', index: '/market/index' } as const;
