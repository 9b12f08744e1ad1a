import type { Random } from '../random.ts';

/** Width and height of every picture in pixels. */
export const WIDTH = 480;
export const HEIGHT = 320;

export type Color = readonly [hue: number, saturation: number, lightness: number];
export type Box = readonly [x: number, y: number, width: number, height: number];
export type Point = readonly [x: number, y: number];

/** Returns the CSS notation of a color, lighter by `change` percent. */
export const tone = ([hue, saturation, lightness]: Color, change = 0): string =>
  `hsl(${hue},${saturation}%,${Math.max(9, Math.min(100, Math.round(lightness + change)))}%)`;

const short = (value: number): number => Math.round(value * 10) / 10;

/** Returns the points of a polygon or line, with rounded numbers. */
export const points = (texts: TemplateStringsArray, ...values: readonly number[]): string =>
  String.raw(texts, ...values.map(short))
    .replaceAll(' ', 'L')
    .replaceAll(',', ' ');

/** Returns the colors of a list that states hue, saturation and lightness of each. */
export const palette = (list: string): readonly Color[] =>
  list.split(', ').map((color) => color.split(' ').map(Number) as unknown as Color);

export const rect = ([x, y, width, height]: Box, fill: string, more = ''): string =>
  `<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(0, width))}" height="${short(Math.max(0, height))}" fill="${fill}" ${more}/>`;

/** Draws rectangles of one color as one element, which is several times faster to render. */
export const rects = (boxes: readonly Box[], fill: string, more = ''): string =>
  `<path d="${boxes.map(([x, y, width, height]) => `M${short(x)} ${short(y)}h${short(width)}v${short(height)}h${short(-width)}z`).join('')}" fill="${fill}" ${more}/>`;

export const ellipse = ([x, y, rx, ry]: Box, fill: string, more = ''): string =>
  `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}" fill="${fill}" ${more}/>`;

export const polygon = (outline: string, fill: string, more = ''): string =>
  `<path d="M${outline}Z" fill="${fill}" ${more}/>`;

/** Draws a polygon whose upper and lower edges are level. */
export const trapezoid = (
  [left, right, top]: readonly [number, number, number],
  [lowLeft, lowRight, bottom]: readonly [number, number, number],
  fill: string,
  more = '',
): string => polygon(points`${left},${top} ${right},${top} ${lowRight},${bottom} ${lowLeft},${bottom}`, fill, more);

export const line = (outline: string, stroke: string, width: number, more = ''): string =>
  `<path d="M${outline}" fill="none" stroke="${stroke}" stroke-width="${width}" ${more}/>`;

export const gradient = (id: string, from: string, to: string): string =>
  `<linearGradient id="${id}" x2="0" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

/** Returns the SVG document of a picture. @param moving whether to show a part of it, or its mirror image */
export function picture(random: Random, defs: string, body: string, moving = true): string {
  const share = moving ? random.between(0.62, 0.98) : 1;
  const [width, height] = [WIDTH * share * (moving ? random.between(0.88, 1.04) : 1), HEIGHT * share];
  const [x, y] = [(WIDTH - width) * random.next(), (HEIGHT - height) * random.next()];
  const mirrored = moving && random.chance(0.5);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="${short(x)} ${short(y)} ${short(width)} ${short(height)}" preserveAspectRatio="none"><defs>${defs}</defs>${
    mirrored ? `<g transform="translate(${WIDTH} 0) scale(-1 1)">${body}</g>` : body
  }</svg>`;
}

/** Joins the parts of a drawing; false draws nothing. */
export const layers = (...parts: readonly (string | false)[]): string => parts.filter(Boolean).join('');

/** Draws a sequence of parts. */
export const times = (count: number, draw: (at: number) => string | false): string =>
  layers(...Array.from({ length: Math.max(0, count) }, (_, at) => draw(at)));

export const near = (random: Random, [hue, saturation, lightness]: Color, by = 6): Color => [
  hue + random.int(-by, by),
  saturation,
  lightness + random.int(-by, by),
];
