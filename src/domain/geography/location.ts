/** Location of a property. */
export interface Location {
  city: string;
  city_name_en: string;
  neighborhood_id: number | null;
  neighborhood_name_ar: string | null;
  neighborhood_name_en: string | null;
  lat: number | null;
  lng: number | null;
  street_width_m: number | null;
}
