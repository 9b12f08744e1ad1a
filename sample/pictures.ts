import sharp from 'sharp';
import type { Property } from './homes.ts';
import market from './market.json' with { type: 'json' };
import { hashText, Random } from './random.ts';

const LOOKS = ['house', 'block', 'tower', 'plot', 'street'] as const;
type Look = (typeof LOOKS)[number];

function lookOf({ property_type: type, floor, compound }: Property): Look {
  const place = market.types[type].in;
  if (place === 'house' || place === 'plot') return place;
  return (floor ?? 0) > 6 || compound?.startsWith('برج') ? 'tower' : 'block';
}

const STREETS = 64;

/** @param copy 0 for the one that its advertisers share, from 1 for others */
export const homePicture = (hostUrl: string, home: Property, copy: number): string =>
  `${hostUrl}/photos/${lookOf(home)}-${home.id}-${copy}.jpg`;

/** Each source has another picture of a project. */
export const projectPicture = (hostUrl: string, project: number, copy: number): string =>
  `${hostUrl}/photos/tower-p${project}-${copy}.jpg`;

/** Several homes share a picture of a street. */
export const streetPicture = (hostUrl: string, number: number): string =>
  `${hostUrl}/photos/street-${(number % STREETS) + 1}.jpg`;

/** The bytes depend only on the name. */
export const renderPicture = (name: string): Promise<Buffer> =>
  sharp(Buffer.from(drawPicture(name)))
    .removeAlpha()
    .jpeg({ quality: 78, optimiseCoding: false })
    .toBuffer();

const WIDTH = 480;
const HEIGHT = 320;

type Color = readonly [hue: number, saturation: number, lightness: number];
type Box = readonly [x: number, y: number, width: number, height: number];

const colors = (list: string): Color[] =>
  list.split(', ').map((color) => color.split(' ').map(Number) as unknown as Color);
const WALLS = colors('38 38 78, 40 12 93, 32 42 66, 18 40 56, 210 8 72, 45 46 86, 25 16 42, 200 14 34, 165 16 58');
const ACCENTS = colors('24 42 32, 210 14 24, 30 34 50, 160 20 32, 12 46 42');

/** The sky at the top and the horizon, the ground, the change of lightness in percent, and lamps. */
type Light = readonly [top: string, horizon: string, ground: Color, lit: number, lamps: boolean];
/** Noon, haze, evening, dusk, overcast. */
const LIGHTS: readonly Light[] = [
  ['hsl(210,70%,55%)', 'hsl(200,60%,88%)', [38, 32, 74], 5, false],
  ['hsl(205,60%,72%)', 'hsl(40,50%,92%)', [35, 28, 68], 2, false],
  ['hsl(215,45%,45%)', 'hsl(25,85%,72%)', [30, 25, 52], -6, true],
  ['hsl(232,45%,22%)', 'hsl(275,35%,50%)', [245, 14, 32], -20, true],
  ['hsl(210,18%,66%)', 'hsl(205,15%,88%)', [36, 14, 62], -3, false],
];

const tone = ([hue, saturation, lightness]: Color, change = 0): string =>
  `hsl(${hue},${saturation}%,${Math.max(8, Math.min(98, Math.round(lightness + change)))}%)`;
const n = (value: number): string => value.toFixed(1);
/** Draws boxes of one color as one element, which is several times faster to render. */
const boxes = (list: readonly Box[], fill: string, more = ''): string =>
  `<path d="${list.map(([x, y, width, height]) => `M${n(x)} ${n(y)}h${n(width)}v${n(height)}h${n(-width)}z`).join('')}" fill="${fill}" ${more}/>`;
const box = (x: number, y: number, width: number, height: number, fill: string): string =>
  boxes([[x, y, width, height]], fill);
const ellipse = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}"/>`;
const times = (count: number, draw: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => draw(at)).join('');

/** Draws a picture as SVG. Names of no look show a street. */
function drawPicture(name: string): string {
  const look = LOOKS.find((each) => name.startsWith(`${each}-`)) ?? 'street';
  const random = new Random(hashText(name), name.length);
  const time = random.pick(LIGHTS);
  const base = random.int(205, 285);
  const body =
    drawLand(random, time, base) +
    drawScene(random, look, time, base) +
    times(random.int(1, 5), () => drawPlant(random, time, base));
  // Shows a part of the drawing or of its mirror image, so that similar drawings differ as pictures.
  const share = random.between(0.66, 1);
  const [width, height] = [WIDTH * share * random.between(0.9, 1.02), HEIGHT * share];
  const [x, y] = [(WIDTH - width) * random.next(), (HEIGHT - height) * random.between(0.4, 1)];
  const side = random.chance(0.5) ? `<g transform="translate(${WIDTH} 0) scale(-1 1)">${body}</g>` : body;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="${n(x)} ${n(y)} ${n(width)} ${n(height)}" preserveAspectRatio="none"><defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${time[0]}"/><stop offset="1" stop-color="${time[1]}"/></linearGradient></defs>${side}</svg>`;
}

function drawLand(random: Random, [, , ground, , lamps]: Light, base: number): string {
  const curb = base + random.int(14, 34);
  const far = Array.from({ length: 14 }, (_, at): Box => {
    const height = random.int(8, random.chance(0.25) ? 130 : 55);
    return [at * 36 - random.int(0, 14), base - height, random.int(20, 42), height];
  });
  return (
    box(0, 0, WIDTH, base + 4, 'url(#sky)') +
    ellipse(random.int(20, WIDTH - 20), random.int(20, 110), 15, 15, lamps ? '#fde6b0' : '#fff3cf') +
    boxes(far, lamps ? '#2b2540' : '#8d97a5', 'fill-opacity=".35"') +
    box(0, base, WIDTH, HEIGHT - base, tone(ground)) +
    box(0, curb, WIDTH, HEIGHT - curb, tone([220, 8, lamps ? 22 : 42])) +
    box(0, curb, WIDTH, 4, tone(ground, 12))
  );
}

function drawScene(random: Random, look: Look, time: Light, base: number): string {
  const width = { house: 230, block: 210, tower: 120, plot: 230, street: 130 }[look] * random.between(0.8, 1.25);
  const left = random.between(20, Math.max(40, WIDTH - width - 20));
  const room = random.between(80, 190);
  const beside = (x: number, wide: number): string =>
    random.chance(0.2)
      ? ''
      : drawBuilding(random, time, [x, base, wide, random.int(40, look === 'street' ? 220 : 150)]);
  return (
    beside(left - room - random.int(4, 40), room) +
    beside(left + width + random.int(4, 40), random.between(90, 240)) +
    drawHome(random, look, time, [left, base, width])
  );
}

function drawHome(
  random: Random,
  look: Look,
  time: Light,
  [x, base, width]: readonly [x: number, base: number, width: number],
): string {
  const highest = base - random.int(4, 40);
  if (look === 'tower') return drawBuilding(random, time, [x, base, width, highest], 17);
  if (look !== 'house' && look !== 'plot')
    return drawBuilding(random, time, [x, base, width, random.int(look === 'block' ? 110 : 60, highest)]);
  const [wall, lit] = [random.pick(WALLS), time[3]];
  const [gate, fence] = [x + random.between(0.1, 0.7) * width, random.int(16, 34)];
  const share = random.between(0.45, 0.8);
  const upper = x + random.next() * width * (1 - share);
  const sign = tone([random.int(0, 360), 36, random.pick([38, 88])], lit);
  return (
    (look === 'house'
      ? drawBuilding(random, time, [upper, base - 52, width * share, random.int(46, 76)], 60) +
        drawBuilding(random, time, [x, base, width, random.int(52, 74)], 70)
      : box(gate + 18, base - 70, 4, 70, tone(wall, lit - 30)) + box(gate - 10, base - 104, 60, 36, sign)) +
    box(x - 26, base - fence + 8, width + 52, fence, tone(wall, lit + 4)) +
    box(gate, base - fence - 2, 44, fence + 10, tone(random.pick(ACCENTS), lit)) +
    box(x - 28, base - fence + 5, width + 56, 4, tone(wall, lit - 12))
  );
}

function drawBuilding(
  random: Random,
  [, , , lit, lamps]: Light,
  [x, base, width, height]: Box,
  floorHeight = 34,
): string {
  const [wall, accent] = [random.pick(WALLS), random.pick(ACCENTS)];
  const top = base - height;
  const floors = Math.max(1, Math.round(height / floorHeight));
  const columns = Math.max(2, Math.round(width / random.int(30, 46)));
  const [high, wide] = [height / floors, width / columns];
  const [share, tall] = [random.between(0.4, 0.8), random.between(0.4, 0.66)];
  const strip = random.int(-2, columns - 1);
  const panes: [dark: Box[], bright: Box[]] = [[], []];
  for (let floor = 0; floor < floors; floor++)
    for (let column = 0; column < columns; column++) {
      if (random.chance(0.08)) continue;
      const [left, upper] = [x + column * wide + (wide * (1 - share)) / 2, top + floor * high + high * 0.24];
      panes[random.chance(lamps ? 0.45 : 0.06) ? 1 : 0].push([left, upper, wide * share, high * tall]);
    }
  const door = Math.min(30, high * 0.8);
  return (
    (random.chance(0.6) ? box(x + width, top + 8, random.int(14, 52), height - 8, tone(wall, lit - 22)) : '') +
    box(x, top, width, height, tone(wall, lit)) +
    (strip < 0 ? '' : box(x + strip * wide, top, wide, height, tone(accent, lit + random.int(0, 24)))) +
    boxes(panes[0], tone([205, 30, lamps ? 22 : random.pick([30, 44, 60])])) +
    boxes(panes[1], 'hsl(46,90%,74%)') +
    box(x + (random.int(0, columns - 1) + 0.5) * wide - 9, base - door, 18, door, tone(accent, lit - 4)) +
    box(x - 3, top - 5, width + 6, 8, tone(wall, lit + 10))
  );
}

function drawPlant(random: Random, [, , , , lamps]: Light, base: number): string {
  const dark = lamps ? -12 : 0;
  const [x, foot] = [random.int(0, WIDTH), base + random.int(0, 16)];
  const height = random.int(36, random.chance(0.3) ? 190 : 100);
  const leaf: Color = [random.int(80, 135), 34, random.int(26, 42) + dark];
  const palm = random.chance(0.5);
  const stem = height * (palm ? 0.96 : 0.5);
  const crown = (at: number): string => {
    const side = (at - 2) * height * 0.13;
    if (!palm)
      return ellipse(
        x + side,
        foot - height * (0.62 + (at % 2) * 0.16),
        height * 0.22,
        height * 0.2,
        tone(leaf, at * 2),
      );
    const [angle, reach, top] = [Math.PI * (1.05 + at * 0.225), height * random.between(0.3, 0.48), foot - height];
    const tip = [x + Math.cos(angle) * reach, top + Math.sin(angle) * reach * 0.5 + reach * 0.42].map(n).join(' ');
    return `<path d="M${n(x)} ${n(top)}Q${n(x + side)} ${n(top - reach * 0.45)} ${tip}Q${n(x + side)} ${n(top - reach * 0.1)} ${n(x)} ${n(top)}Z" fill="${tone(leaf, at * 3)}"/>`;
  };
  return box(x - height * 0.03, foot - stem, height * 0.06, stem, tone([26, 26, 32 + dark])) + times(5, crown);
}
