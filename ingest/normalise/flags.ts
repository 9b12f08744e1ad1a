import { foldText } from '../../src/text/fold.ts';
import { remember } from './remember.ts';

const YES = [true, 'yes', 'y', 'true', 't', '1', 'نعم', 'اي', 'يوجد', 'متوفر', 'موثق', 'موثوق', 'verified'];
const NO = [
  false,
  'no',
  'n',
  'false',
  'f',
  '0',
  'لا',
  'لا يوجد',
  'غير متوفر',
  'غير موثق',
  'unverified',
  'not verified',
];
const FURNISHED = [
  'furnished',
  'fully furnished',
  'full',
  'مفروش',
  'مفروشة',
  'مؤثث',
  'مؤثثة',
  'مؤثثه بالكامل',
  'مفروش بالكامل',
];
const UNFURNISHED = [
  'unfurnished',
  'not furnished',
  'empty',
  'غير مفروش',
  'غير مفروشة',
  'غير مؤثث',
  'غير مؤثثة',
  'بدون فرش',
  'فارغ',
  'فارغة',
];

const flagOf: ReadonlyMap<string, boolean> = new Map([
  ...[...YES, ...FURNISHED].map((word) => [foldText(String(word)), true] as const),
  ...[...NO, ...UNFURNISHED].map((word) => [foldText(String(word)), false] as const),
]);

const flagOfText = remember((text) => flagOf.get(foldText(text).replaceAll('_', ' ')) ?? null);

/** Yes or no, in either language, as digits or as the words for furnished; null for anything between or unknown. */
export function readFlag(value: string | number | boolean | null | undefined): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : null;
  return typeof value === 'string' ? flagOfText(value) : null;
}
