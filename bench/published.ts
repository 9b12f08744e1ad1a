import { readFileSync } from 'node:fs';
import type { Figure } from './bench.ts';

/** A row of the figures in docs/BENCHMARKS.md, the only place that states targets: `>= 5`, `<= 5` or `4 to 5`. */
export type Published = Record<'part' | 'name' | 'measured' | 'target' | 'result', string>;

/** Share by which a figure may differ from the published one. The same part run twice differs by a tenth. */
const TOLERANCE = 0.1;

const ROW = /^\|(?: `(\w+)`)? \| (.+?) \| (.+?) \|(?: ([<>]= .+?|\S+ to \S+))? \|(?: (met|missed))? \|$/gm;

export function readPublished(): Published[] {
  const text = readFileSync(new URL('../docs/BENCHMARKS.md', import.meta.url), 'utf8');
  let part = '';
  return [...text.matchAll(ROW)].map(([, own, name = '', measured = '', target = '', result = '']) => {
    part = own ?? part;
    return { part, name, measured, target, result };
  });
}

/** Returns the number in a text, which may have a unit and thousands separators. */
export const numberIn = (text: string): number => Number.parseFloat(text.replace(/[^\d.-]*/, '').replaceAll(',', ''));

/** Returns whether a value meets a target; an empty string if there is none. */
export function verdict(value: number, target: string): 'met' | 'missed' | '' {
  if (target === '') return '';
  const [low = '', high = ''] = target.startsWith('<=') ? ['', target] : target.split(' to ');
  return value < numberIn(low) || value > numberIn(high) ? 'missed' : 'met';
}

export const isDifferent = ({ value }: Figure, { measured }: Published): boolean =>
  Math.abs(value - numberIn(measured)) > Math.abs(numberIn(measured)) * TOLERANCE;
