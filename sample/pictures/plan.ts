import type { Random } from '../random.ts';
import type { HomeFacts } from './facts.ts';
import {
  type Box,
  type Color,
  ellipse,
  HEIGHT,
  layers,
  line,
  near,
  type Point,
  palette,
  picture,
  points,
  rect,
  rects,
  times,
  tone,
  WIDTH,
} from './svg.ts';

type RoomUse = 'bedroom' | 'bathroom' | 'living' | 'majlis' | 'kitchen' | 'maid' | 'hall' | 'office' | 'terrace';

interface PlanRoom {
  use: RoomUse;
  /** Square meters, a whole number. */
  area: number;
}

/** Usual shares of the area of a home, relative to a bedroom. */
const SHARES: Readonly<Record<RoomUse, number>> = {
  bedroom: 1,
  bathroom: 0.36,
  living: 1.5,
  majlis: 1.3,
  kitchen: 0.8,
  maid: 0.42,
  hall: 0.6,
  office: 1.2,
  terrace: 0.7,
};

/** Returns the rooms of a home. Their areas add up to its area. */
export function roomsOf(
  random: Random,
  { type, area, bedrooms, bathrooms, livings, maid, majlis, tower }: HomeFacts,
): PlanRoom[] {
  const offices = type === 'office' || type === 'shop' || type === 'showroom' || type === 'warehouse';
  const counts: readonly (readonly [RoomUse, number])[] = offices
    ? [
        ['office', Math.min(7, 1 + Math.round(area / 40))],
        ['hall', 1],
        ['bathroom', 1],
        ['kitchen', 1],
      ]
    : [
        ['living', Math.min(2, livings)],
        ['majlis', majlis ? 1 : 0],
        ['bedroom', Math.min(7, bedrooms)],
        ['bathroom', Math.min(6, bathrooms)],
        ['kitchen', 1],
        ['maid', maid ? 1 : 0],
        ['hall', bedrooms > 1 ? 1 : 0],
        ['terrace', tower || random.chance(0.4) ? 1 : 0],
      ];
  const uses = counts.flatMap(([use, count]) => Array.from({ length: count }, () => use));
  const weights = uses.map(
    (use, at) => SHARES[use] * random.between(0.8, 1.2) * (use === 'bedroom' && uses.indexOf(use) === at ? 1.35 : 1),
  );
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let [exact, used] = [0, 0];
  return uses.map((use, at) => {
    exact += ((weights[at] as number) * area) / sum;
    const whole = Math.max(1, Math.round(exact) - used);
    used += whole;
    return { use, area: whole };
  });
}

interface PlacedRoom extends PlanRoom {
  box: Box;
}
interface Door {
  at: Point;
  upright: boolean;
}

const areaOf = (rooms: readonly PlanRoom[]): number => rooms.reduce((sum, { area }) => sum + area, 0);

/** Divides a box among rooms by their areas. A door connects both sides of a division that is long enough. */
function place(random: Random, rooms: readonly PlanRoom[], box: Box, doors: Door[]): PlacedRoom[] {
  const [x, y, width, height] = box;
  const [only] = rooms;
  if (only && rooms.length === 1) return [{ ...only, box }];
  const total = areaOf(rooms);
  let cut = 1;
  while (cut < rooms.length - 1 && areaOf(rooms.slice(0, cut + 1)) < total * 0.58) cut++;
  const share = areaOf(rooms.slice(0, cut)) / total;
  const upright = width * random.between(0.8, 1.2) > height;
  const [first, second]: [Box, Box] = upright
    ? [
        [x, y, width * share, height],
        [x + width * share, y, width * (1 - share), height],
      ]
    : [
        [x, y, width, height * share],
        [x, y + height * share, width, height * (1 - share)],
      ];
  const before = place(random, rooms.slice(0, cut), first, doors);
  const after = place(random, rooms.slice(cut), second, doors);
  const wall = upright ? second[0] : second[1];
  const [from, length] = upright ? [1, 3] : [0, 2];
  const meeting = before.flatMap(({ box: one }) =>
    after.flatMap(({ box: two }) => {
      const touching =
        Math.abs((upright ? one[0] + one[2] : one[1] + one[3]) - wall) < 0.5 &&
        Math.abs((upright ? two[0] : two[1]) - wall) < 0.5;
      const [low, high] = [
        Math.max(one[from] as number, two[from] as number),
        Math.min((one[from] as number) + (one[length] as number), (two[from] as number) + (two[length] as number)),
      ];
      return touching && high - low > 26 ? [[low, high] as const] : [];
    }),
  );
  if (meeting.length > 0) {
    const [low, high] = random.pick(meeting);
    const along = random.between(low + 4, high - 22);
    doors.push({ at: upright ? [wall, along] : [along, wall], upright });
  }
  return [...before, ...after];
}

/** Strokes of the digits in a cell of 4 by 6, so that the labels need no typeface. */
const DIGITS = [
  'M0 0H4V6H0Z',
  'M1 1L2 0V6',
  'M0 0H4V3H0V6H4',
  'M0 0H4V6H0M1 3H4',
  'M0 0V3H4M4 0V6',
  'M4 0H0V3H4V6H0',
  'M4 0H0V6H4V3H0',
  'M0 0H4L2 6',
  'M0 0H4V6H0ZM0 3H4',
  'M4 3H0V0H4V6H0',
];
const SQUARE_METERS = 'M0 6V3M0 3.6Q1 2.4 2 3.4V6M2 3.4Q3 2.4 4 3.4V6M5.4 0H7V1L5.4 2.4H7';

/** Draws an area in square meters around a point. */
function drawArea(area: number, x: number, y: number, size: number, color: string): string {
  const digits = [...String(area)];
  const width = digits.length * 6 + 8;
  const glyphs = digits
    .map((digit, at) => `<path transform="translate(${at * 6} 0)" d="${DIGITS[Number(digit)]}"/>`)
    .join('');
  return `<g transform="translate(${(x - (width * size) / 2).toFixed(1)} ${(y - 3 * size).toFixed(1)}) scale(${size})" fill="none" stroke="${color}" stroke-width=".95" stroke-linecap="round" stroke-linejoin="round">${glyphs}<path transform="translate(${digits.length * 6 + 1} 0)" d="${SQUARE_METERS}"/></g>`;
}

/** Draws the furniture by which a room is recognized, seen from above. */
function drawFurniture(
  use: RoomUse,
  [x, y, width, height]: Box,
  [right, low]: readonly [boolean, boolean],
  ink: string,
  fill: string,
): string {
  const stroke = `stroke="${ink}" stroke-width="1.2"`;
  const corner = (wide: number, high: number): Point => [
    right ? x + width - wide - 5 : x + 5,
    low ? y + height - high - 5 : y + 5,
  ];
  switch (use) {
    case 'bedroom':
    case 'maid': {
      const [wide, high] = [Math.min(40, width * 0.5), Math.min(44, height * 0.42)];
      const [left, top] = corner(wide, high);
      return (
        rect([left, top, wide, high], fill, `${stroke} rx="2"`) +
        rect([left + 3, top + 3, wide / 2 - 5, high * 0.22], '#fff', stroke) +
        rect([left + wide / 2 + 2, top + 3, wide / 2 - 5, high * 0.22], '#fff', stroke) +
        line(points`${left},${top + high * 0.45} ${left + wide},${top + high * 0.45}`, ink, 1)
      );
    }
    case 'bathroom': {
      const [wide, high] = [Math.min(36, width * 0.6), Math.min(17, height * 0.3)];
      const [left, top] = corner(wide, high);
      return (
        rect([left, top, wide, high], '#fff', `${stroke} rx="4"`) +
        rect([left + 3, top + 3, wide - 6, high - 6], fill, 'rx="3"') +
        ellipse([right ? x + 12 : x + width - 12, low ? y + 12 : y + height - 12, 5, 6.5], '#fff', stroke)
      );
    }
    case 'kitchen': {
      const top = low ? y + height - 17 : y + 4;
      return (
        rect([x + 4, top, width - 8, 13], fill, stroke) +
        times(4, (at) => ellipse([x + 14 + (at % 2) * 8, top + 4 + Math.floor(at / 2) * 5, 1.8, 1.8], ink)) +
        rect([x + width - 30, top + 3, 16, 7], '#fff', stroke)
      );
    }
    case 'living':
    case 'majlis': {
      const [wide, high] = [Math.min(74, width * 0.6), Math.min(20, height * 0.24)];
      const [left, top] = corner(wide, high);
      return (
        rect([left, top, wide, high], fill, `${stroke} rx="4"`) +
        rect(
          [right ? left + wide - high : left, low ? top - high : top + high, high, high * 1.1],
          fill,
          `${stroke} rx="4"`,
        ) +
        ellipse(
          [left + wide * 0.45, low ? top - high * 0.6 : top + high * 1.6, wide * 0.16, high * 0.3],
          '#fff',
          stroke,
        )
      );
    }
    case 'office': {
      const [left, top] = corner(44, 18);
      return (
        rect([left, top, Math.min(44, width - 10), 16], fill, stroke) +
        ellipse([left + 20, low ? top - 7 : top + 23, 6, 6], '#fff', stroke)
      );
    }
    case 'terrace':
      return times(5, (at) =>
        ellipse([x + 10 + (at * (width - 20)) / 4, low ? y + height - 10 : y + 10, 6, 6], 'hsl(110,30%,48%)'),
      );
    default:
      return '';
  }
}

interface Paper {
  sheet: Color;
  ink: Color;
  floors: readonly Color[];
}
const PAPERS: readonly Paper[] = [
  {
    sheet: [40, 30, 96],
    ink: [215, 25, 20],
    floors: palette('34 45 80, 205 30 44, 30 40 58, 95 18 72, 0 0 97, 20 38 38, 215 20 30'),
  },
  {
    sheet: [216, 52, 26],
    ink: [205, 50, 92],
    floors: palette('214 48 34, 212 44 50, 218 50 16, 205 44 66, 200 40 84'),
  },
  { sheet: [0, 0, 100], ink: [0, 0, 12], floors: palette('0 0 99, 0 0 78, 0 0 34, 0 0 56, 40 12 70, 28 30 44') },
  { sheet: [36, 34, 86], ink: [20, 40, 22], floors: palette('30 50 70, 150 22 42, 14 48 54, 45 55 86, 200 30 32') },
  { sheet: [170, 20, 22], ink: [40, 30, 90], floors: palette('168 22 32, 40 30 72, 170 16 56, 28 40 46, 170 24 14') },
];

/** Draws the floor plan of a home: rooms to scale, with their areas in square meters. */
export function drawPlan(random: Random, facts: HomeFacts): string {
  const paper = random.pick(PAPERS);
  const ink = tone(paper.ink);
  const rooms = roomsOf(random, facts);
  for (let at = rooms.length - 1; at > 0; at--) {
    const other = random.int(0, at);
    [rooms[at], rooms[other]] = [rooms[other] as PlanRoom, rooms[at] as PlanRoom];
  }
  const [width, height] = [random.int(280, 440), random.int(190, 276)];
  const [x, y] = [random.int(12, WIDTH - width - 12), random.int(10, HEIGHT - height - 24)];
  const doors: Door[] = [];
  const placed = place(random, rooms, [x, y, width, height], doors);
  const inside = placed.map(({ use, area, box }) => {
    const [left, top, wide, high] = box;
    const color = near(
      random,
      use === 'terrace' ? [110, 26, paper.sheet[2] > 50 ? 72 : 36] : random.pick(paper.floors),
      4,
    );
    const light = color[2] > 50;
    const pattern =
      random.chance(0.4) &&
      rects(
        Array.from({ length: Math.floor(high / 9) }, (_, at): Box => [left, top + at * 9, wide, 0.8]),
        tone(color, -9),
      );
    const sides = [random.chance(0.5), random.chance(0.5)] as const;
    const furniture =
      wide > 30 &&
      high > 44 &&
      drawFurniture(use, box, sides, light ? 'hsl(215,20%,28%)' : 'hsl(210,40%,90%)', tone(color, light ? -14 : 14));
    // The label is in the half of the room without furniture.
    const middle = !furniture ? 0.5 : sides[1] ? 0.3 : 0.72;
    const size = Math.max(0.9, Math.min(1.9, wide / 34, high / 16));
    return layers(
      rect([left, top, wide, high], tone(color)),
      pattern,
      furniture,
      drawArea(area, left + wide / 2, top + high * middle, size, light ? 'hsl(215,30%,14%)' : '#fff'),
    );
  });
  const walls = placed
    .map(({ box: [left, top, wide, high] }) =>
      rect([left, top, wide, high], 'none', `stroke="${ink}" stroke-width="4"`),
    )
    .join('');
  const windows = placed.map(({ box: [left, top, wide, high] }) => {
    const pane = (outline: string): string =>
      line(outline, tone(paper.sheet), 4) + line(outline, 'hsl(205,70%,62%)', 2);
    return layers(
      top - y < 1 && pane(points`${left + wide * 0.3},${top} ${left + wide * 0.7},${top}`),
      y + height - top - high < 1 &&
        pane(points`${left + wide * 0.25},${top + high} ${left + wide * 0.65},${top + high}`),
      left - x < 1 && pane(points`${left},${top + high * 0.3} ${left},${top + high * 0.7}`),
      x + width - left - wide < 1 &&
        pane(points`${left + wide},${top + high * 0.35} ${left + wide},${top + high * 0.75}`),
    );
  });
  const openings = doors.map(({ at: [dx, dy], upright }) => {
    const arc = upright
      ? `M${dx.toFixed(1)} ${dy.toFixed(1)}h16a16 16 0 0 1 -16 16z`
      : `M${dx.toFixed(1)} ${dy.toFixed(1)}v16a16 16 0 0 0 16 -16z`;
    return (
      line(upright ? points`${dx},${dy} ${dx},${dy + 16}` : points`${dx},${dy} ${dx + 16},${dy}`, '#fff', 5) +
      `<path d="${arc}" fill="#fff" fill-opacity=".5" stroke="${ink}" stroke-width="1"/>`
    );
  });
  const outside: Color =
    paper.sheet[2] > 50
      ? near(random, [random.pick([105, 150, 36]), 26, random.int(44, 84)])
      : near(random, [paper.sheet[0], 30, random.int(12, 56)]);
  const garden = times(random.int(2, 4), () =>
    rect(
      [
        random.pick([-20, random.int(0, 400)]),
        random.pick([-20, random.int(0, 240)]),
        random.int(60, 260),
        random.int(50, 180),
      ],
      tone(outside),
      'rx="6"',
    ),
  );
  const trees = times(random.int(4, 11), () => {
    const [treeX, treeY, size] = [random.int(0, WIDTH), random.int(0, HEIGHT), random.int(10, 30)];
    return (
      ellipse([treeX, treeY, size, size], tone(outside, -14)) +
      ellipse([treeX, treeY, size * 0.6, size * 0.6], tone(outside, -22))
    );
  });
  const compass = `<g transform="translate(${random.pick([20, 460])} ${HEIGHT - 14}) rotate(${random.int(0, 359)})"><path d="M0 -9L4 7L0 4L-4 7Z" fill="${ink}"/></g>`;
  return picture(
    random,
    '',
    rect([0, 0, WIDTH, HEIGHT], tone(paper.sheet)) +
      rects(
        Array.from(
          { length: 40 },
          (_, at): Box => (at < 24 ? [at * 20, 0, 0.5, HEIGHT] : [0, (at - 24) * 20, WIDTH, 0.5]),
        ),
        ink,
        'fill-opacity=".12"',
      ) +
      garden +
      trees +
      rect([x + 5, y + 6, width, height], '#000', 'fill-opacity=".2"') +
      inside.join('') +
      walls +
      windows.join('') +
      openings.join('') +
      rect([x + width / 2 - 52, y + height + 3, 104, 19], tone(paper.sheet), 'rx="4"') +
      drawArea(areaOf(rooms), x + width / 2, y + height + 13, 1.7, ink) +
      compass,
    false,
  );
}
