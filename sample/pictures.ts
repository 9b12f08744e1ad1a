import sharp from 'sharp';
import type { Property } from './homes.ts';
import market from './market.json' with { type: 'json' };
import { hashText, Random } from './random.ts';

/** Subjects of pictures. */
const LOOKS = ['house', 'block', 'tower', 'plot', 'street'] as const;
type Look = (typeof LOOKS)[number];

function lookOf({ property_type: type, floor, compound }: Property): Look {
  const place = market.types[type].in;
  if (place === 'house' || place === 'plot') return place;
  return (floor ?? 0) > 6 || compound?.startsWith('برج') ? 'tower' : 'block';
}

/** Number of streets that homes share as a second picture. */
const STREETS = 64;

/** Returns the address of a home's own picture. @param copy 0 for the one that its advertisers share, from 1 for others */
export const homePicture = (hostUrl: string, home: Property, copy: number): string =>
  `${hostUrl}/photos/${lookOf(home)}-${home.id}-${copy}.jpg`;

/** Returns the address of a picture of an off-plan project, of which each source has another. */
export const projectPicture = (hostUrl: string, project: number, copy: number): string =>
  `${hostUrl}/photos/tower-p${project}-${copy}.jpg`;

/** Returns the address of a picture of a street, which several homes share. */
export const streetPicture = (hostUrl: string, number: number): string =>
  `${hostUrl}/photos/street-${(number % STREETS) + 1}.jpg`;

/** Renders the picture of a name as JPEG. The bytes depend only on the name. */
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

/** A time of day: the sky at the top and the horizon, the ground, the change of lightness in percent, and lamps. */
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
const box = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  boxes([[x, y, width, height] as const], fill, more);
/** Draws a shape whose corners are pairs of numbers. */
const shape = (fill: string, ...corners: readonly number[]): string =>
  `<path d="M${corners.map(n).join(' ')}Z" fill="${fill}"/>`;
const ellipse = (x: number, y: number, rx: number, ry: number, fill: string, more = ''): string =>
  `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" fill="${fill}" ${more}/>`;
const times = (count: number, draw: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => draw(at)).join('');

/** Draws the picture of a name, such as `house-17-0.jpg`, as SVG. Names of no look show a street. */
export function drawPicture(name: string): string {
  const look = LOOKS.find((each) => name.startsWith(`${each}-`)) ?? 'street';
  const random = new Random(hashText(name), name.length);
  const time = random.pick(LIGHTS);
  const base = random.int(205, 285);
  const body =
    drawSky(random, time, base) +
    drawGround(random, time, base) +
    drawScene(random, look, time, base) +
    drawPlants(random, time, base);
  // Shows a part of the drawing or of its mirror image, so that similar drawings differ as pictures.
  const share = random.between(0.66, 1);
  const [width, height] = [WIDTH * share * random.between(0.9, 1.02), HEIGHT * share];
  const [x, y] = [(WIDTH - width) * random.next(), (HEIGHT - height) * random.between(0.4, 1)];
  const side = random.chance(0.5) ? `<g transform="translate(${WIDTH} 0) scale(-1 1)">${body}</g>` : body;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="${n(x)} ${n(y)} ${n(width)} ${n(height)}" preserveAspectRatio="none"><defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${time[0]}"/><stop offset="1" stop-color="${time[1]}"/></linearGradient></defs>${side}</svg>`;
}

/** Draws the sky with the sun, clouds and far buildings. */
function drawSky(random: Random, [, horizon, , , lamps]: Light, base: number): string {
  const cloud = lamps ? horizon : '#fff';
  return (
    box(0, 0, WIDTH, base + 4, 'url(#sky)') +
    ellipse(random.int(20, WIDTH - 20), random.int(20, 110), 15, 15, lamps ? '#fde6b0' : '#fff3cf') +
    times(random.int(0, 4), () => {
      const [x, y, size] = [random.int(-20, WIDTH), random.int(10, 130), random.int(24, 80)];
      return times(3, (at) =>
        ellipse(
          x + (at - 1) * size * 0.8,
          y - (at % 2) * size * 0.18,
          size * random.between(0.55, 0.9),
          size * 0.26,
          cloud,
          'fill-opacity=".7"',
        ),
      );
    }) +
    boxes(
      Array.from({ length: 14 }, (_, at): Box => {
        const height = random.int(8, random.chance(0.25) ? 130 : 55);
        return [at * 36 - random.int(0, 14), base - height, random.int(20, 42), height];
      }),
      lamps ? '#2b2540' : '#8d97a5',
      'fill-opacity=".35"',
    )
  );
}

function drawGround(random: Random, [, , ground, , lamps]: Light, base: number): string {
  const curb = base + random.int(14, 34);
  const marks = Array.from(
    { length: 7 },
    (_, at): Box => [at * 76 - random.int(0, 30), (curb + HEIGHT) / 2 + 4, 38, 3],
  );
  return (
    box(0, base, WIDTH, HEIGHT - base, tone(ground)) +
    box(0, curb, WIDTH, HEIGHT - curb, tone([220, 8, lamps ? 22 : 42])) +
    box(0, curb, WIDTH, 4, tone(ground, 12)) +
    boxes(marks, tone([48, 30, 80]), 'fill-opacity=".7"')
  );
}

/** Draws the subject of a picture between two neighbors, one of which may be missing. */
function drawScene(random: Random, look: Look, time: Light, base: number): string {
  const width = { house: 230, block: 210, tower: 120, plot: 230, street: 130 }[look] * random.between(0.8, 1.25);
  const left = random.between(20, Math.max(40, WIDTH - width - 20));
  const beside = (x: number, wide: number): string =>
    random.chance(0.2)
      ? ''
      : drawBuilding(random, time, [x, base, wide, random.int(40, look === 'street' ? 220 : 150)]);
  const room = random.between(80, 190);
  return (
    beside(left - room - random.int(4, 40), room) +
    beside(left + width + random.int(4, 40), random.between(90, 240)) +
    drawHome(random, look, time, [left, base, width, 0])
  );
}

function drawHome(random: Random, look: Look, time: Light, [x, base, width]: Box): string {
  if (look === 'plot') return drawPlot(random, time, [x, base, width, 0]);
  if (look === 'tower') return drawBuilding(random, time, [x, base, width, base - random.int(4, 40)], 17);
  if (look === 'street') return drawBuilding(random, time, [x, base, width, random.int(60, base - 20)]);
  if (look === 'block') return drawBuilding(random, time, [x, base, width, random.int(110, Math.min(220, base - 10))]);
  const [share, height] = [random.between(0.45, 0.8), random.int(52, 74)];
  const upper = x + random.next() * width * (1 - share);
  const wall = random.pick(WALLS);
  const fence = random.int(16, 34);
  const gate = x + random.between(0.1, 0.7) * width;
  return (
    drawBuilding(random, time, [upper, base - height + 6, width * share, random.int(46, 76)], 60) +
    drawBuilding(random, time, [x, base, width, height], 70) +
    box(x - 26, base - fence + 8, width + 52, fence, tone(wall, time[3] + 4)) +
    box(gate, base - fence - 2, 44, fence + 10, tone(random.pick(ACCENTS), time[3])) +
    box(x - 28, base - fence + 5, width + 56, 4, tone(wall, time[3] - 12))
  );
}

/** Draws a building on its base line, with a side in the shade, windows, balconies and a door. */
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
  const side = random.chance(0.6) ? random.int(14, 52) : 0;
  const [share, tall] = [random.between(0.4, 0.8), random.between(0.4, 0.66)];
  const strip = random.int(-2, columns - 1);
  const balcony = random.int(-1, columns - 1);
  const panes: Record<string, Box[]> = {};
  const [rails, frames]: [Box[], Box[]] = [[], []];
  for (let floor = 0; floor < floors; floor++)
    for (let column = 0; column < columns; column++) {
      if (random.chance(0.08)) continue;
      const [left, upper] = [x + column * wide + (wide * (1 - share)) / 2, top + floor * high + high * 0.24];
      const pane = random.chance(lamps ? 0.45 : 0.06)
        ? `hsl(46,90%,${random.int(68, 80)}%)`
        : tone([205, 30, lamps ? 22 : random.pick([30, 44, 60])]);
      panes[pane] = [...(panes[pane] ?? []), [left, upper, wide * share, high * tall]];
      frames.push([left + (wide * share) / 2 - 0.6, upper, 1.2, high * tall]);
      if (column === balcony)
        rails.push([x + column * wide + 2, upper + high * tall * 0.55, wide - 4, high * tall * 0.5]);
    }
  const door = x + (random.int(0, columns - 1) + 0.5) * wide;
  return (
    shape(
      tone(wall, lit - 22),
      x + width,
      top,
      x + width + side,
      top + side * 0.3,
      x + width + side,
      base,
      x + width,
      base,
    ) +
    box(x, top, width, height, tone(wall, lit)) +
    (strip < 0 ? '' : box(x + strip * wide, top, wide, height, tone(accent, lit + random.int(0, 24)))) +
    Object.entries(panes)
      .map(([fill, list]) => boxes(list, fill))
      .join('') +
    boxes(frames, tone(accent, lit)) +
    boxes(rails, tone(wall, lit + 10), `stroke="${tone(accent, lit)}" stroke-width="1"`) +
    box(door - 9, base - Math.min(30, high * 0.8), 18, Math.min(30, high * 0.8), tone(accent, lit - 4)) +
    box(x - 3, top - 5, width + 6, 8, tone(wall, lit + 10))
  );
}

/** Draws an empty plot between stakes, with its sign. */
function drawPlot(random: Random, [, , ground, lit]: Light, [x, base, width]: Box): string {
  const depth = random.int(14, 30);
  const post = x + random.between(0.2, 0.7) * width;
  return (
    shape(
      tone(ground, random.int(-18, -8)),
      x + 24,
      base - 2,
      x + width - 24,
      base - 2,
      x + width + 26,
      base + depth,
      x - 26,
      base + depth,
    ) +
    times(5, (at) => box(x - 24 + (at * (width + 44)) / 4, base + depth - 18, 4, 18, tone([12, 60, 46]))) +
    box(post, base - 52, 4, 60, tone([28, 28, 36], lit)) +
    box(post + 44, base - 52, 4, 60, tone([28, 28, 36], lit)) +
    box(post - 6, base - 84, 60, 34, tone([random.int(0, 360), 36, random.pick([38, 88])], lit)) +
    times(random.int(0, 3), () =>
      ellipse(x + random.next() * width, base - 2, random.int(18, 60), random.int(6, 20), tone(ground, -4)),
    )
  );
}

/** Draws palms and trees in front, and sometimes a car. */
function drawPlants(random: Random, [, , , , lamps]: Light, base: number): string {
  const dark = lamps ? -12 : 0;
  const plants = times(random.int(1, 5), () => {
    const [x, foot, height] = [
      random.int(0, WIDTH),
      base + random.int(0, 16),
      random.int(36, random.chance(0.3) ? 190 : 100),
    ];
    const leaf: Color = [random.int(80, 135), 34, random.int(26, 42) + dark];
    const palm = random.chance(0.5);
    const trunk = box(x - height * 0.03, foot - height * 0.96, height * 0.06, height * 0.96, tone([26, 26, 32 + dark]));
    if (!palm)
      return (
        box(x - 3, foot - height * 0.5, 6, height * 0.5, tone([26, 26, 30 + dark])) +
        times(5, (at) =>
          ellipse(
            x + (at - 2) * height * 0.13,
            foot - height * (0.62 + (at % 2) * 0.16),
            height * 0.22,
            height * 0.2,
            tone(leaf, at * 2 - 3),
          ),
        )
      );
    return (
      trunk +
      times(9, (at) => {
        const [angle, reach] = [Math.PI * (1.02 + at * 0.12), height * random.between(0.3, 0.48)];
        const [tipX, tipY] = [
          x + Math.cos(angle) * reach,
          foot - height + Math.sin(angle) * reach * 0.5 + reach * 0.42,
        ];
        const [midX, top] = [(x + tipX) / 2, foot - height];
        return `<path d="M${n(x)} ${n(top)}Q${n(midX)} ${n(top - reach * 0.45)} ${n(tipX)} ${n(tipY)}Q${n(midX)} ${n(top - reach * 0.1)} ${n(x)} ${n(top)}Z" fill="${tone(leaf, (at % 3) * 5)}"/>`;
      })
    );
  });
  if (!random.chance(0.4)) return plants;
  const [x, y, body] = [
    random.int(0, 420),
    base + random.int(18, 34),
    tone([random.int(0, 360), random.pick([6, 45]), random.pick([22, 46, 82]) + dark]),
  ];
  return `${plants}<path d="M${x} ${y + 18}v-8q2-4 12-5l9-8q3-2 8-2h15q5 0 9 4l7 7q8 1 9 5v7z" fill="${body}"/>${ellipse(x + 15, y + 18, 6, 6, '#222')}${ellipse(x + 54, y + 18, 6, 6, '#222')}`;
}
