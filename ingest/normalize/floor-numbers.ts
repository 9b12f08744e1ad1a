/** Higher floors are numbers of flats. */
const MAX_FLOOR = 99;
const ORDER = ['basement', 'ground', 'upper', 'roof'];

/** The order of floors from below. */
export function rankOfFloor(floor: string): number {
  const floorNumber = Number(floor);
  if (Number.isInteger(floorNumber)) return floorNumber + 1;
  const place = ORDER.indexOf(floor);
  return place < 2 ? place : MAX_FLOOR + 1 + place;
}

/** The floor of a number, of which those below 0 are basements. Null if the number is none. */
export function numberedFloor(number: number): string | null {
  if (!Number.isInteger(number) || number > MAX_FLOOR || number < -9) return null;
  if (number < 0) return 'basement';
  return number === 0 ? 'ground' : String(number);
}
