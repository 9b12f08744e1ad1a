import type { Random } from '../random.ts';
import type { HomeFacts } from './facts.ts';
import {
  type Color,
  ellipse,
  HEIGHT,
  layers,
  line,
  near,
  palette,
  picture,
  points,
  polygon,
  rect,
  times,
  tone,
  trapezoid,
  WIDTH,
} from './svg.ts';

const WALLS = palette(
  '215 26 40, 150 18 38, 20 28 46, 40 25 90, 30 30 80, 95 14 76, 205 22 78, 18 32 76, 220 10 58, 160 14 52, 28 16 66',
);
const FLOORS = palette('30 42 52, 26 46 36, 40 18 84, 210 6 76, 32 30 66, 20 36 26');
const FABRICS = palette('210 16 44, 28 38 62, 165 24 38, 12 46 50, 40 18 84, 225 32 30, 0 0 26, 90 18 50');
const STONES = palette('40 10 92, 0 0 18, 30 12 60');
const WOODS = palette('28 42 44, 24 46 28, 34 36 62, 0 0 94, 20 10 22');

/** A room in perspective: its back wall, and the daylight or lamplight in it. */
interface Room {
  left: number;
  top: number;
  right: number;
  bottom: number;
  wall: Color;
  night: boolean;
  wood: Color;
  fabric: Color;
  /** Lightness added by the light. */
  lit: number;
}

function emptyRoom(random: Random): Room {
  const night = random.chance(0.22);
  return {
    left: random.int(-30, 150),
    top: random.int(10, 74),
    right: WIDTH - random.int(-30, 150),
    bottom: random.int(180, 234),
    wall: near(random, random.pick(WALLS), 5),
    night,
    wood: random.pick(WOODS),
    fabric: random.pick(FABRICS),
    lit: night ? -18 : random.int(-3, 4),
  };
}

/** Draws a door, a doorway or a mirror in a side wall that reaches from `front` to `back`. */
function drawSideDoor(random: Random, { top, bottom, wood, lit }: Room, front: number, back: number): string {
  if (random.chance(0.4)) return '';
  const start = random.between(0.05, 0.6);
  const high = random.between(0.6, 0.92);
  const corners = [start, start + random.between(0.18, 0.36)].map((depth) => {
    const [floor, ceiling] = [HEIGHT + (bottom - HEIGHT) * depth, top * depth];
    return { x: front + (back - front) * depth, floor, head: floor - (floor - ceiling) * high };
  });
  const [first, second] = corners as [(typeof corners)[0], (typeof corners)[0]];
  const look = random.pick([wood, [40, 20, 92], [30, 20, 24], [205, 24, 70]] as Color[]);
  return polygon(
    points`${first.x},${first.floor} ${first.x},${first.head} ${second.x},${second.head} ${second.x},${second.floor}`,
    tone(look, lit),
    `stroke="${tone([40, 10, 94], lit)}" stroke-width="3"`,
  );
}

function drawShell(random: Random, room: Room): string {
  const { left, top, right, bottom, wall, lit } = room;
  const floor = near(random, random.pick(FLOORS), 4);
  const tiles = random.chance(0.5);
  const lines = times(17, (at) => {
    const x = left + ((right - left) * at) / 16;
    return line(points`${x},${bottom} ${(WIDTH * at) / 16},${HEIGHT}`, tone(floor, lit - 12), 1, 'stroke-opacity=".6"');
  });
  const across =
    tiles &&
    times(5, (at) => {
      const part = ((at + 1) / 6) ** 1.6;
      const y = bottom + (HEIGHT - bottom) * part;
      return line(points`${left * (1 - part)},${y} ${right + (WIDTH - right) * part},${y}`, tone(floor, lit - 12), 1);
    });
  const accent =
    random.chance(0.4) &&
    rect([left, top, right - left, bottom - top], tone(near(random, wall, 10), lit + random.pick([-30, -16, 8])));
  const slats =
    random.chance(0.3) &&
    times(18, (at) => rect([left + ((right - left) * at) / 18, top, 4, bottom - top], tone(wall, lit - 7)));
  const side = (front: number, back: number): string => {
    const shade = random.int(room.night ? -10 : -24, 8);
    return polygon(points`${front},0 ${back},${top} ${back},${bottom} ${front},${HEIGHT}`, tone(wall, lit + shade));
  };
  return layers(
    trapezoid([0, WIDTH, 0], [left, right, top], random.chance(0.25) ? tone(room.wood, lit) : tone([40, 12, 95], lit)),
    side(0, left),
    side(WIDTH, right),
    drawSideDoor(random, room, 0, left),
    drawSideDoor(random, room, WIDTH, right),
    rect([left, top, right - left, bottom - top], tone(wall, lit)),
    accent,
    slats,
    polygon(points`0,${HEIGHT} ${left},${bottom} ${right},${bottom} ${WIDTH},${HEIGHT}`, tone(floor, lit)),
    lines,
    across,
    line(points`0,${HEIGHT} ${left},${bottom} ${right},${bottom} ${WIDTH},${HEIGHT}`, tone([40, 10, 96], lit), 4),
    times(random.int(2, 5), (at) =>
      ellipse([70 + at * random.int(70, 100), top * random.between(0.25, 0.7), 6, 2.5], '#fff8dc'),
    ),
  );
}

/** Draws a window in the back wall, with curtains and the light that falls through it. */
function drawWindow(random: Random, room: Room, x: number, width: number): string {
  const { top, bottom, lit, night } = room;
  const high = top + random.int(8, 24);
  const low = random.chance(0.4) ? bottom - 2 : bottom - random.int(50, 74);
  const curtain = random.pick(FABRICS);
  const drawn = random.between(0.1, 0.36);
  const glass = night ? 'hsl(230,40%,16%)' : `hsl(${random.int(195, 210)},60%,${random.int(72, 90)}%)`;
  const outside = times(5, (at) => {
    const height = random.int(8, (low - high) * 0.6);
    return rect(
      [x + (at * width) / 5, low - height, width / 5 - 2, height],
      night ? tone([45, 60, random.pick([12, 12, 60])]) : tone([random.pick([30, 100, 205]), 22, random.int(50, 74)]),
    );
  });
  const sun = night
    ? ''
    : polygon(
        points`${x + width * 0.2},${bottom + 8} ${x + width * 0.9},${bottom + 8} ${x + width * 0.9 + random.int(-40, 60)},${HEIGHT - random.int(20, 60)} ${x + random.int(-60, 30)},${HEIGHT - random.int(20, 60)}`,
        '#fffbe6',
        'fill-opacity=".38"',
      );
  return layers(
    rect([x - 4, high - 4, width + 8, low - high + 8], tone([0, 0, 96], lit)),
    rect([x, high, width, low - high], glass),
    outside,
    times(random.int(1, 3), (at) => rect([x + (width * (at + 1)) / 4, high, 2.5, low - high], tone([0, 0, 94], lit))),
    random.chance(0.75) &&
      rect([x - 12, high - 8, width * drawn + 12, bottom - high + 6], tone(curtain, lit)) +
        rect([x + width * (1 - drawn), high - 8, width * drawn + 12, bottom - high + 6], tone(curtain, lit)) +
        times(
          4,
          (at) =>
            rect([x - 10 + at * width * drawn * 0.3, high - 8, 2, bottom - high + 6], tone(curtain, lit - 9)) +
            rect(
              [x + width * (1 - drawn) + 4 + at * width * drawn * 0.3, high - 8, 2, bottom - high + 6],
              tone(curtain, lit - 9),
            ),
        ) +
        rect([x - 18, high - 11, width + 36, 3], tone(room.wood, lit)),
    sun,
  );
}

function drawPaintings(random: Random, room: Room, x: number, y: number, width: number): string {
  const count = random.int(1, 4);
  return times(count, (at) => {
    const [wide, high] = [(width / count) * random.between(0.55, 0.88), random.int(24, 54)];
    const left = x + (at * width) / count;
    const up = y + random.int(-8, 8);
    const hue = random.int(0, 360);
    return (
      rect([left, up, wide, high], tone(random.pick(WOODS), room.lit)) +
      rect([left + 3, up + 3, wide - 6, high - 6], tone([hue, 32, random.pick([22, 50, 88])], room.lit)) +
      ellipse(
        [left + wide * random.between(0.3, 0.7), up + high * random.between(0.35, 0.7), wide * 0.22, high * 0.2],
        tone([hue + 140, 45, random.int(25, 85)], room.lit),
      ) +
      rect([left + 3, up + high * 0.72, wide - 6, high * 0.2], tone([hue + 60, 32, random.int(20, 80)], room.lit))
    );
  });
}

/** Draws shelves with doors, and with books and vases in a furnished room. */
function drawShelves(
  random: Random,
  { wood, lit, bottom }: Room,
  [x, width, top]: readonly [number, number, number],
  furnished = true,
): string {
  const rows = random.int(3, 5);
  const columns = Math.max(2, Math.round(width / 30));
  const [high, wide] = [(bottom - top) / rows, width / columns];
  return (
    rect([x, top, width, bottom - top], tone(wood, lit - 10)) +
    times(rows * columns, (at) => {
      const [left, up] = [x + (at % columns) * wide + 2, top + Math.floor(at / columns) * high + 2];
      if (random.chance(furnished ? 0.25 : 0.6)) return rect([left, up, wide - 4, high - 4], tone(wood, lit + 8));
      const back = rect([left, up, wide - 4, high - 4], tone(wood, lit + random.pick([-16, 22, 34])));
      if (!furnished) return back;
      if (random.chance(0.4))
        return (
          back +
          ellipse(
            [left + wide / 2 - 2, up + high - 12, 5, 8],
            tone([random.int(0, 360), 26, random.pick([30, 88])], lit),
          )
        );
      return (
        back +
        times(3, (book) => {
          const tall = (high - 6) * random.between(0.5, 0.9);
          return rect(
            [left + 1 + (book * (wide - 6)) / 3.6, up + high - 4 - tall, (wide - 6) / 4.2, tall],
            tone([random.int(0, 360), 36, random.int(25, 78)], lit),
          );
        })
      );
    })
  );
}

/** Draws a plant at one of several places, some pixels below the back wall. */
function drawPlant(
  random: Random,
  { bottom, lit }: Room,
  places: readonly number[],
  [far, close]: readonly [number, number],
  largest = 130,
): string {
  const [x, base, size] = [random.pick(places), bottom + random.int(far, close), random.int(70, largest)];
  const leaf: Color = [random.int(90, 150), 36, 30 + lit / 2];
  return (
    times(9, (at) => {
      const angle = Math.PI * (1.05 + (at / 8) * 0.9);
      const [dx, dy] = [
        Math.cos(angle) * size * random.between(0.3, 0.55),
        Math.sin(angle) * size * random.between(0.6, 0.95),
      ];
      return `<path d="M${x} ${base - size * 0.2}Q${(x + dx * 0.2).toFixed(1)} ${(base + dy).toFixed(1)} ${(x + dx).toFixed(1)} ${(base + dy * 0.85).toFixed(1)}Q${(x + dx * 0.7).toFixed(1)} ${(base + dy * 0.4).toFixed(1)} ${x} ${base - size * 0.2}Z" fill="${tone(leaf, (at % 3) * 7)}"/>`;
    }) +
    trapezoid(
      [x - size * 0.16, x + size * 0.16, base - size * 0.24],
      [x - size * 0.11, x + size * 0.11, base],
      tone([20, 35, random.pick([30, 60, 88])], lit),
    )
  );
}

function drawRug(random: Random, { bottom, lit }: Room): string {
  const color = random.pick(FABRICS);
  const [x, width] = [random.int(110, 190), random.int(120, 210)];
  const [far, close] = [bottom + random.int(18, 34), bottom + random.int(64, 86)];
  const rows = times(random.int(2, 5), (at) => {
    const part = (at + 0.5) / 5.5;
    return line(
      points`${x - 36 * part + 5},${far + (close - far) * part} ${x + width + 36 * part - 5},${far + (close - far) * part}`,
      tone(random.pick(FABRICS), lit + 8),
      random.int(2, 7),
    );
  });
  return trapezoid([x, x + width, far], [x - 36, x + width + 36, close], tone(color, lit + 10)) + rows;
}

function drawLamp(random: Random, { lit, night }: Room, x: number, base: number): string {
  const height = random.int(86, 124);
  return layers(
    night && ellipse([x, base - height, 70, 56], '#ffdd94', 'fill-opacity=".28"'),
    rect([x - 1.5, base - height, 3, height], tone([30, 12, 24])),
    ellipse([x, base, 13, 3.5], tone([30, 12, 24])),
    trapezoid(
      [x - 10, x + 10, base - height - 12],
      [x - 19, x + 19, base - height + 16],
      night ? '#ffe9b5' : tone([42, 30, 86], lit),
    ),
  );
}

function drawSofa(random: Random, { fabric, lit, wood }: Room, x: number, base: number, width: number): string {
  const seats = Math.max(2, Math.round(width / 70));
  return (
    ellipse([x + width / 2, base + 2, width * 0.54, 7], '#000', 'fill-opacity=".2"') +
    rect([x + 6, base - 6, 6, 8], tone(wood, -20)) +
    rect([x + width - 12, base - 6, 6, 8], tone(wood, -20)) +
    rect([x, base - 66, width, 46], tone(fabric, lit), 'rx="9"') +
    times(seats, (at) =>
      rect(
        [x + 12 + (at * (width - 24)) / seats, base - 38, (width - 24) / seats - 2, 22],
        tone(fabric, lit + 10),
        'rx="5"',
      ),
    ) +
    rect([x - 6, base - 50, 20, 46], tone(fabric, lit - 6), 'rx="7"') +
    rect([x + width - 14, base - 50, 20, 46], tone(fabric, lit - 6), 'rx="7"') +
    rect([x + 8, base - 18, width - 16, 14], tone(fabric, lit - 10)) +
    times(random.int(1, 4), (at) =>
      rect(
        [x + 18 + at * random.int(26, 40), base - 60, 26, 26],
        tone(random.pick(FABRICS), lit + 16),
        `rx="6" transform="rotate(${random.int(-12, 12)} ${x + 30 + at * 32} ${base - 48})"`,
      ),
    )
  );
}

function drawTable(random: Random, { lit, wood }: Room, x: number, y: number, width: number): string {
  const color = near(random, wood, 6);
  return (
    ellipse([x, y + 18, width * 0.5, 7], '#000', 'fill-opacity=".2"') +
    rect([x - width * 0.36, y, 5, 20], tone(color, lit - 16)) +
    rect([x + width * 0.34, y, 5, 20], tone(color, lit - 16)) +
    ellipse([x, y, width * 0.52, 11], tone(color, lit - 8)) +
    ellipse([x, y - 3, width * 0.52, 11], tone(color, lit + 6)) +
    ellipse([x - width * random.between(-0.2, 0.2), y - 8, 8, 6], tone([random.int(0, 360), 40, 60], lit))
  );
}

function drawLiving(random: Random, room: Room): string {
  const { left, right, top, bottom, lit } = room;
  const width = right - left;
  const side = random.chance(0.5);
  const window = random.int(70, 130);
  const windowX = side ? left + 22 : right - window - 22;
  const freeX = side ? left + window + 56 : left + 14;
  const free = width - window - 76;
  const screen = random.chance(0.4);
  const screenWidth = Math.min(free, random.int(80, 130));
  const wall = screen
    ? rect(
        [freeX + (free - screenWidth) / 2, bottom - 42 - screenWidth * 0.56, screenWidth, screenWidth * 0.56],
        '#14161a',
      ) +
      rect([freeX - 8, bottom - 28, free + 16, 26], tone(room.wood, lit)) +
      times(3, (at) =>
        rect([freeX - 5 + (at * (free + 10)) / 3, bottom - 25, (free + 10) / 3 - 4, 20], tone(room.wood, lit + 9)),
      )
    : random.chance(0.5)
      ? drawShelves(random, room, [freeX, free, top + random.int(14, 46)])
      : drawPaintings(random, room, freeX, top + random.int(26, 52), free);
  const sofa = random.int(150, 230);
  return layers(
    drawWindow(random, room, windowX, window),
    wall,
    drawRug(random, room),
    random.chance(0.8) &&
      drawSofa(random, room, random.int(left - 30, right - sofa + 10), bottom + random.int(20, 44), sofa),
    random.chance(0.5) &&
      drawSofa(
        random,
        { ...room, fabric: random.pick(FABRICS) },
        random.pick([-30, 400]),
        bottom + random.int(52, 70),
        110,
      ),
    drawTable(random, room, random.int(180, 310), bottom + random.int(58, 76), random.int(76, 120)),
    random.chance(0.6) && drawPlant(random, room, [left + 8, right - 6, 46, 436], [6, 40]),
    random.chance(0.6) &&
      drawLamp(random, room, random.pick([left + 4, right - 8, 430, 52]), bottom + random.int(8, 24)),
  );
}

function drawBedroom(random: Random, room: Room): string {
  const { left, right, top, bottom, lit } = room;
  const bed = random.int(110, 168);
  const window = random.int(56, 96);
  const windowLeft = random.chance(0.5);
  const [from, to] = windowLeft ? [left + window + 44, right - bed - 30] : [left + 30, right - window - bed - 44];
  const x = Math.round(from + Math.max(0, to - from) * random.next());
  const headTop = bottom - random.int(46, 92);
  const cover = random.pick(FABRICS);
  const close = bottom + random.int(52, 78);
  const head =
    rect([x - 22, headTop, bed + 44, bottom - headTop], tone(near(random, room.fabric), lit)) +
    times(6, (at) => rect([x - 2 + (at * bed) / 6, headTop + 4, 1.5, bottom - headTop], '#000', 'fill-opacity=".15"'));
  const stand = (at: number): string =>
    layers(
      rect([at, bottom - 10, 34, 32], tone(room.wood, lit)),
      rect([at + 3, bottom + 2, 28, 2], tone(room.wood, lit - 14)),
      trapezoid(
        [at + 9, at + 25, bottom - 44],
        [at + 3, at + 31, bottom - 24],
        room.night ? '#ffe7ad' : tone([40, 30, 88], lit),
      ),
      rect([at + 15, bottom - 24, 4, 14], '#666'),
      room.night && ellipse([at + 17, bottom - 32, 44, 40], '#ffdd94', 'fill-opacity=".25"'),
    );
  const closet =
    to - from > 60 && drawShelves(random, room, windowLeft ? [right - 62, 60, top + 16] : [left + 2, 60, top + 16]);
  return layers(
    drawWindow(random, room, windowLeft ? left + 16 : right - window - 16, window),
    closet,
    drawPaintings(random, room, x + 4, Math.max(top + 8, headTop - 66), bed - 4),
    drawRug(random, room),
    head,
    stand(x - 42),
    stand(x + bed + 8),
    trapezoid([x, x + bed, bottom - 8], [x - 26, x + bed + 26, close], tone([40, 12, 93], lit)),
    trapezoid([x - 8, x + bed + 8, bottom + 18], [x - 27, x + bed + 27, close], tone(cover, lit + 6)),
    rect([x - 27, close, bed + 54, random.int(12, 24)], tone(cover, lit - 6)),
    polygon(
      points`${x - 16},${bottom + random.int(34, 44)} ${x + bed + 16},${bottom + 38} ${x + bed + 21},${bottom + 52} ${x - 21},${bottom + 52}`,
      tone(random.pick(FABRICS), lit + random.int(-8, 12)),
    ),
    times(2, (at) => rect([x + 8 + at * (bed / 2), bottom - 16, bed / 2 - 16, 24], tone([40, 10, 97], lit), 'rx="7"')),
    times(random.int(0, 2), (at) =>
      rect([x + 26 + at * 54, bottom - 6, 40, 18], tone(random.pick(FABRICS), lit + 10), 'rx="6"'),
    ),
    random.chance(0.5) && drawPlant(random, room, [34, 448], [30, 70], 120),
  );
}

function drawKitchen(random: Random, room: Room): string {
  const { left, right, top, bottom, lit } = room;
  const front = near(random, random.pick([...WOODS, [150, 16, 44], [215, 28, 34], [40, 20, 86]] as Color[]), 5);
  const upper = random.chance(0.5) ? front : random.pick(WOODS);
  const stone = tone(random.pick(STONES), lit);
  const counter = bottom - 52;
  const cells = random.int(5, 8);
  const wide = (right - left) / cells;
  const window = random.int(1, cells - 3);
  const hob = random.int(0, cells - 1);
  const fridge = random.chance(0.5) ? 0 : cells - 1;
  const tile: Color = [random.int(20, 220), 24, random.int(40, 84)];
  const cabinets = times(cells, (at) => {
    const x = left + at * wide;
    if (at === fridge) return '';
    const above =
      at === window || at === window + 1
        ? ''
        : at === hob
          ? trapezoid(
              [x + wide * 0.3, x + wide * 0.7, top + 12],
              [x + wide * 0.08, x + wide * 0.92, top + 62],
              tone([210, 5, 60], lit),
            )
          : random.chance(0.25)
            ? rect([x + 2, top + 52, wide - 4, 4], tone(upper, lit)) +
              times(3, (cup) =>
                ellipse(
                  [x + 8 + (cup * wide) / 3.4, top + 45, 4, 6],
                  tone([random.int(0, 360), 30, random.int(40, 90)], lit),
                ),
              )
            : rect([x + 1, top + 8, wide - 2, 66], tone(upper, lit + random.pick([0, 0, 12, -14]))) +
              rect([x + wide - 8, top + 52, 2, 14], '#ccc');
    const below =
      rect(
        [x + 1, counter + 6, wide - 2, bottom - counter - 10],
        at === hob ? '#23262a' : tone(front, lit + random.pick([0, 0, 8, -10])),
      ) + rect([x + wide * 0.25, counter + 12, wide * 0.5, 2], '#d8d8d8');
    const item =
      random.chance(0.5) &&
      rect(
        [x + 6, counter - random.int(10, 28), random.int(8, 20), 28],
        tone([random.int(0, 360), 36, random.int(24, 84)], lit),
      );
    return layers(above, item, below);
  });
  const cold = left + fridge * wide;
  const island = random.chance(0.65);
  const [ix, iw] = [random.int(90, 180), random.int(150, 230)];
  const iTop = bottom + random.int(22, 36);
  return layers(
    rect([left, counter - 50, right - left, 50], tone(tile, lit)),
    times(4, (row) => rect([left, counter - 50 + row * 13, right - left, 1], '#fff', 'fill-opacity=".5"')),
    rect(
      [left + window * wide + 2, top + 10, wide * 2 - 4, counter - top - 26],
      room.night ? 'hsl(230,40%,18%)' : 'hsl(200,62%,84%)',
    ),
    rect([left + (window + 1) * wide - 1, top + 10, 3, counter - top - 26], '#fff'),
    cabinets,
    rect([left - 2, counter - 2, right - left + 4, 7], stone),
    rect(
      [cold + 1, top + random.int(14, 40), wide - 2, bottom - top - 42],
      tone([210, 5, random.pick([82, 58, 22])], lit),
    ),
    rect([cold + 2, bottom - 92, wide - 4, 2], '#444'),
    island
      ? rect([ix + 6, iTop, iw - 12, 50], tone(near(random, front, 8), lit - 5)) +
          times(5, (at) =>
            rect([ix + 12 + (at * (iw - 24)) / 5, iTop + 10, (iw - 24) / 5 - 4, 34], tone(front, lit + 7)),
          ) +
          rect([ix - 6, iTop - 6, iw + 12, 10], stone) +
          ellipse([ix + iw * random.between(0.2, 0.8), iTop - 10, 16, 6], tone([random.int(10, 120), 50, 52], lit)) +
          times(random.int(0, 3), (at) => {
            const x = ix + 26 + (at * iw) / 3.2;
            return (
              rect([x - 12, iTop + 22, 24, 8], tone(room.wood, lit)) +
              line(points`${x - 9},${iTop + 30} ${x - 11},${iTop + 68}`, '#333', 3) +
              line(points`${x + 9},${iTop + 30} ${x + 11},${iTop + 68}`, '#333', 3)
            );
          }) +
          times(random.int(1, 3), (at) => {
            const x = ix + 40 + at * 56;
            return (
              line(points`${x},0 ${x},${top + 30}`, '#333', 1.5) +
              ellipse([x, top + 36, 13, 10], room.night ? '#ffe7ad' : tone(random.pick(FABRICS), lit))
            );
          })
      : drawRug(random, room) +
          drawTable(random, room, random.int(150, 330), bottom + random.int(38, 64), random.int(110, 170)),
    random.chance(0.4) && drawPlant(random, room, [left - 10, right + 10, 40, 440], [14, 60]),
  );
}

/** Draws an unfurnished room: doors, wall units, an air conditioner and the light of the windows. */
function drawEmpty(random: Random, room: Room): string {
  const { left, right, top, bottom, lit } = room;
  const width = right - left;
  const cells = random.int(3, 5);
  const order = Array.from({ length: cells }, () => random.int(0, 4));
  if (!order.includes(0)) order[random.int(0, cells - 1)] = 0;
  const wall = times(cells, (at) => {
    const [x, wide] = [left + (at * width) / cells + 10, width / cells - 20];
    if (order[at] === 0) return drawWindow(random, room, x, wide);
    if (order[at] === 1)
      return (
        rect(
          [x, top + random.int(34, 50), Math.min(52, wide), bottom - top - 36],
          tone(near(random, room.wood, 6), lit),
        ) +
        rect([x + 6, top + 58, Math.min(40, wide - 12), 44], tone(room.wood, lit + 10)) +
        ellipse([x + 8, bottom - 54, 2.5, 2.5], '#ddd')
      );
    if (order[at] === 2) return drawShelves(random, room, [x, wide, top + random.int(10, 60)], false);
    if (order[at] === 3)
      return (
        rect([x, top + 12, Math.min(70, wide), 20], '#f6f6f4') +
        rect([x + 4, top + 26, Math.min(62, wide - 8), 3], '#bbb') +
        rect([x, top + 56, wide, bottom - top - 66], tone(random.pick(WALLS), lit - 8))
      );
    return (
      rect(
        [x, top + 14, wide, bottom - top - 22],
        tone(near(random, room.wall, 10), lit + random.pick([-34, -20, 10])),
      ) + rect([x + 6, top + 20, wide - 12, bottom - top - 34], tone(room.wall, lit + random.pick([-12, 8])))
    );
  });
  const marble = times(14, () => {
    const y = bottom + random.int(4, 84);
    const x = random.int(0, WIDTH);
    const [wide, high] = [random.int(30, 90), 6 + (y - bottom) * 0.22];
    return trapezoid(
      [x, x + wide, y],
      [x + (x - 240) * 0.06, x + wide + (x - 240) * 0.06, y + high],
      random.chance(0.5) ? '#fff' : '#000',
      'fill-opacity=".13"',
    );
  });
  const [from, to] = [random.int(left, right), random.int(left, right)];
  const [lowTo, lowFrom] = [to + random.int(-120, 120), from + random.int(-120, 120)];
  const paint = trapezoid([from, to, top], [lowFrom, lowTo, bottom], tone(random.pick(WALLS), lit));
  return marble + paint + wall;
}

const ROOMS = { living: drawLiving, bedroom: drawBedroom, kitchen: drawKitchen };
export type RoomKind = keyof typeof ROOMS;

/** Draws a room of a home. Kitchens are fitted; other rooms are empty if the home is unfurnished. */
export function drawRoom(random: Random, { unfurnished }: HomeFacts, kind: RoomKind): string {
  const room = emptyRoom(random);
  const draw = unfurnished && kind !== 'kitchen' ? drawEmpty : ROOMS[kind];
  return picture(random, '', drawShell(random, room) + draw(random, room));
}
