import type { Random } from '../random.ts';
import type { HomeFacts } from './facts.ts';
import { drawForeground, drawPalm, drawSky, drawStreet, drawTree, LIGHTS, type Light, skyDefs } from './outdoors.ts';
import {
  type Box,
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
  rects,
  times,
  tone,
  trapezoid,
  WIDTH,
} from './svg.ts';

/** Colors of walls: limestone, white plaster, sand, terracotta, grey concrete, cream, dark stone. */
const WALLS = palette('38 38 78, 40 15 92, 32 45 68, 18 42 58, 210 6 72, 45 50 85, 25 18 44');
const ACCENTS = palette('24 45 34, 210 12 26, 30 30 48, 160 18 34, 12 48 42');

/** The walls and windows of one building. */
interface Style {
  wall: Color;
  accent: Color;
  /** Change of lightness in percent: raised by daylight, lowered by the building's age. */
  lit: number;
  light: Light;
}

/** Draws a window, sometimes with a blind, curtains or a lamp. */
function drawWindow(random: Random, { accent, light, lit }: Style, [x, y, width, height]: Box): string {
  const glass: Color = [random.int(195, 215), 32, light.lamps ? 22 : random.int(30, 66)];
  const lamp = random.chance(light.lamps ? 0.5 : 0.06);
  const pane = lamp ? `hsl(${random.int(38, 50)},90%,${random.int(66, 84)}%)` : tone(glass);
  const look = random.int(0, 5);
  const inside =
    look === 0
      ? rect([x, y, width, height * random.between(0.3, 0.9)], tone([40, 14, 84 + lit / 2]), 'fill-opacity=".85"')
      : look === 1
        ? rects(
            [
              [x, y, width * random.between(0.2, 0.4), height],
              [x + width * 0.74, y, width * 0.26, height],
            ],
            tone([random.int(0, 360), 25, 72 + lit / 2]),
          )
        : look < 4 &&
          !lamp &&
          polygon(
            points`${x},${y + height} ${x},${y + height * 0.4} ${x + width * 0.7},${y} ${x + width},${y}`,
            tone(glass, 18),
            'fill-opacity=".6"',
          );
  return layers(
    rect([x, y, width, height], pane),
    inside,
    rects(
      [
        [x - 1.5, y - 1.5, width + 3, 2],
        [x - 1.5, y + height - 0.5, width + 3, 2],
        [x - 1.5, y, 2, height],
        [x + width - 0.5, y, 2, height],
        [x + width / 2 - 0.7, y, 1.4, height],
      ],
      tone(accent, lit),
    ),
  );
}

/** Draws walls of a grid of windows, floor by floor, with balconies, bands of stone and blank panels. */
function drawStories(
  random: Random,
  style: Style,
  [x, y, width, height]: Box,
  floors: number,
  columns: number,
): string {
  const { wall, accent, lit } = style;
  const [high, wide] = [height / floors, width / columns];
  const stone = near(random, wall, 4);
  const [share, tall] = [random.between(0.42, 0.78), random.between(0.45, 0.75)];
  const balconies = random.chance(0.6) ? random.int(0, columns - 1) : -1;
  const strip = random.int(-1, columns - 1);
  return layers(
    strip >= 0 && rect([x + strip * wide, y, wide, height], tone(accent, lit + random.int(0, 22))),
    times(floors, (floor) => {
      const top = y + floor * high;
      return layers(
        random.chance(0.35) && rect([x, top, width, high * 0.16], tone(stone, lit + 8)),
        times(columns, (column) => {
          const left = x + column * wide + (wide * (1 - share)) / 2;
          const panel =
            random.chance(0.18) &&
            rect([x + column * wide, top, wide, high], tone(random.pick([accent, stone]), lit + random.int(-14, 14)));
          if (random.chance(0.1)) return panel;
          const pane = drawWindow(random, style, [left, top + high * 0.22, wide * share, high * tall]);
          const balcony =
            (column === balconies || random.chance(0.1)) &&
            rect([x + column * wide + 1, top + high * 0.62, wide - 2, high * 0.34], tone(wall, lit + 12)) +
              rects(
                [0, 1, 2, 3].map(
                  (bar): Box => [x + column * wide + 3 + (bar * wide) / 4, top + high * 0.62, 1.2, high * 0.3],
                ),
                tone(accent, lit),
              );
          return layers(panel, pane, balcony);
        }),
      );
    }),
  );
}

/** Draws a block with its side in the shade, a parapet and stories. */
function drawBlock(
  random: Random,
  style: Style,
  [x, y, width, height]: Box,
  floors: number,
  columns: number,
  side: number,
): string {
  const { wall, lit } = style;
  const slope = side * 0.32;
  return (
    polygon(
      points`${x + width},${y} ${x + width + side},${y + slope} ${x + width + side},${y + height - slope * 0.3} ${x + width},${y + height}`,
      tone(wall, lit - 22),
    ) +
    times(side > 24 ? floors : 0, (floor) => {
      const top = y + slope * 0.5 + ((floor + 0.25) * height) / floors;
      return rect(
        [x + width + side * 0.3, top, side * 0.38, (height / floors) * 0.45],
        tone([210, 25, random.pick([20, 34, 60]) + (style.light.lamps ? -6 : 0)]),
      );
    }) +
    rect([x, y, width, height], tone(wall, lit)) +
    drawStories(random, style, [x, y + 4, width, height - 4], floors, columns) +
    rect([x - 3, y - 5, width + 6, 8], tone(wall, lit + 10)) +
    rect([x, y + 3, width, 2], '#000', 'fill-opacity=".15"')
  );
}

function drawEntrance(style: Style, x: number, base: number, width: number, height: number): string {
  const { accent, lit, light } = style;
  return (
    rect([x - 5, base - height - 5, width + 10, height + 5], tone(accent, lit + 18)) +
    rect([x, base - height, width, height], light.lamps ? '#ffdf9e' : tone([205, 28, 34])) +
    rect([x + width / 2 - 1, base - height, 2, height], tone(accent, lit)) +
    rect([x - 10, base - height - 9, width + 20, 5], tone(accent, lit - 4))
  );
}

function drawNeighbor(random: Random, style: Style, x: number, width: number, base: number): string {
  const height = random.int(44, 140);
  return drawBlock(
    random,
    style,
    [x, base - height, width, height],
    Math.max(1, Math.round(height / 38)),
    Math.max(2, Math.round(width / 38)),
    0,
  );
}

function drawApartments(random: Random, facts: HomeFacts, style: Style, base: number): string {
  const floors = Math.min(facts.tower ? 14 : 7, Math.max(facts.tower ? 9 : 3, facts.floor + random.int(1, 3)));
  const height = Math.min(base - 18, floors * (facts.tower ? 17 : random.int(27, 36)));
  const columns = facts.tower ? random.int(3, 6) : random.int(4, 8);
  const width = columns * (facts.tower ? random.int(22, 30) : random.int(30, 44));
  const side = random.chance(0.65) ? random.int(26, 70) : 0;
  const x = random.int(10, Math.max(12, WIDTH - width - side - 10));
  const top = base - height;
  const beside = { ...style, wall: near(random, random.pick(WALLS), 4), lit: style.lit - 6 };
  const other = random.int(90, 170);
  const neighbors =
    drawNeighbor(random, beside, x - other - random.int(4, 30), other, base) +
    drawNeighbor(random, beside, x + width + side + random.int(4, 30), other + 60, base);
  const step = random.chance(0.4) ? random.int(0, columns - 2) : -1;
  const roof = layers(
    rect([x + width * random.between(0.1, 0.6), top - 20, width * 0.24, 18], tone(style.wall, style.lit - 8)),
    step >= 0 && rect([x + width * 0.7, top - 14, 26, 10], tone([210, 6, 80], style.lit)),
  );
  return layers(
    neighbors,
    roof,
    drawBlock(random, style, [x, top, width, height], floors, columns, side),
    rect([x, base - 26, width, 26], tone(style.accent, style.lit + 14)),
    times(
      columns,
      (at) =>
        random.chance(0.5) &&
        rect(
          [x + 5 + (at * width) / columns, base - 21, width / columns - 10, 21],
          tone([205, 25, random.int(20, 60)], style.lit / 2),
        ),
    ),
    drawEntrance(style, x + width * random.between(0.2, 0.7), base, 26, 24),
  );
}

function drawHouse(random: Random, facts: HomeFacts, style: Style, base: number): string {
  const low = facts.type === 'rest_house' || facts.type === 'chalet' || facts.type === 'farm';
  const units = facts.type === 'townhouse' ? random.int(2, 4) : 1;
  const whole = Math.min(390, (low ? 210 : 150) + facts.bedrooms * 26 + units * 18);
  const x = random.int(14, WIDTH - whole - 14);
  const parts = units > 1 ? units : random.int(2, 4);
  const cuts = Array.from({ length: parts }, () => random.between(0.6, 1.4));
  const sum = cuts.reduce((total, cut) => total + cut, 0);
  const second: Style = { ...style, wall: near(random, random.pick(WALLS), 5) };
  let left = x;
  const blocks = cuts.map((cut, at) => {
    const width = (whole * cut) / sum;
    const height = (low ? random.int(52, 82) : random.int(96, 168)) - (at % 2) * random.int(0, 34);
    const block = drawBlock(
      random,
      at % 2 ? second : style,
      [left, base - height, width, height],
      low ? 1 : height > 140 ? 3 : 2,
      Math.max(1, Math.round(width / random.int(34, 56))),
      at === parts - 1 ? random.int(0, 40) : 0,
    );
    left += width;
    return block;
  });
  const wallTop = base - random.int(20, 34);
  const gate = random.int(x, x + whole - 60);
  const fence = random.chance(0.7)
    ? rect([0, wallTop, gate, base - wallTop + 6], tone(style.wall, style.lit - 8)) +
      rect([gate + 62, wallTop, WIDTH, base - wallTop + 6], tone(style.wall, style.lit - 8)) +
      times(12, (at) =>
        rect([at * 44 - random.int(0, 12), wallTop - 4, 8, base - wallTop + 8], tone(style.wall, style.lit + 4)),
      ) +
      times(9, (at) => rect([gate + 2 + at * 6.6, wallTop + 2, 3, base - wallTop + 2], tone(style.accent, style.lit)))
    : drawEntrance(style, gate, base, 20, 38) +
      rect([gate + 50 > x + whole - 54 ? x + 6 : gate + 46, base - 36, 50, 36], tone(style.accent, style.lit + 26));
  const greens =
    facts.garden &&
    rect([0, base, WIDTH, 12], tone([100, 36, 40], style.lit)) +
      times(5, () => drawTree(random, random.int(0, WIDTH), base + 4, random.int(40, 90), style.lit / 2));
  const [close, far, edge] = [base + random.int(40, 56), base + random.int(12, 22), random.int(20, 150)];
  const pool =
    facts.pool &&
    rect([0, base, WIDTH, HEIGHT], tone([98, 34, 44], style.lit)) +
      trapezoid([edge, edge + 240, far - 8], [edge - 60, edge + 300, close + 10], tone([36, 20, 84], style.lit)) +
      trapezoid([edge + 10, edge + 230, far], [edge - 30, edge + 270, close], tone([190, 62, 62], style.lit)) +
      times(6, (at) =>
        rect([edge + random.int(10, 200), far + 4 + at * 5, random.int(20, 50), 1.5], '#fff', 'fill-opacity=".5"'),
      );
  const behind = times(random.int(1, 4), () =>
    drawPalm(random, random.int(0, WIDTH), base, random.int(110, 210), style.light.lamps ? -14 : -4),
  );
  return layers(behind, ...blocks, greens, !facts.pool && fence, pool);
}

function drawShops(random: Random, facts: HomeFacts, style: Style, base: number): string {
  const bays = Math.min(6, Math.max(2, Math.round(facts.area / 45) + 1));
  const wide = Math.min(150, 430 / bays);
  const x = random.int(8, Math.max(9, WIDTH - bays * wide - 8));
  const floors = random.int(1, 4);
  const high = random.int(76, 104);
  const top = base - high - floors * 34;
  return (
    drawBlock(random, style, [x, top, bays * wide, base - top], floors + 3, bays * 2, random.int(0, 40)) +
    rect([x, base - high, bays * wide, high], tone(style.accent, style.lit - 4)) +
    times(bays, (at) => {
      const left = x + at * wide + 5;
      const sign: Color = [random.int(0, 360), random.int(20, 62), random.int(26, 72)];
      const shutter = random.chance(0.22);
      const goods = shutter
        ? times(7, (bar) => rect([left, base - high + 34 + bar * 9, wide - 10, 1.5], '#555', 'fill-opacity=".5"'))
        : times(5, (item) => {
            const rise = random.int(14, 44);
            return rect(
              [left + 4 + (item * (wide - 16)) / 5, base - rise, (wide - 16) / 6, rise - 4],
              tone([random.int(0, 360), 38, random.int(20, 82)]),
              'fill-opacity=".8"',
            );
          });
      const awning =
        random.chance(0.5) &&
        times(8, (strip) =>
          trapezoid(
            [left + (strip * (wide - 10)) / 8, left + ((strip + 1) * (wide - 10)) / 8, base - high + 26],
            [left + (strip * (wide - 6)) / 8 - 2, left + ((strip + 1) * (wide - 6)) / 8 - 2, base - high + 44],
            strip % 2 ? '#f5f1e8' : tone(sign),
          ),
        );
      return layers(
        rect([left, base - high + 6, wide - 10, 20], tone(sign, style.light.lamps ? 10 : 0)),
        times(random.int(2, 5), (letter) =>
          rect([left + 8 + letter * 13, base - high + 13, random.int(5, 11), 6], '#fff', 'fill-opacity=".9"'),
        ),
        rect(
          [left, base - high + 28, wide - 10, high - 28],
          shutter ? '#b4b4ae' : style.light.lamps ? '#ffe6ae' : tone([200, 26, random.int(34, 68)]),
        ),
        goods,
        awning,
      );
    })
  );
}

function drawWarehouse(random: Random, facts: HomeFacts, style: Style, base: number): string {
  const bays = Math.min(3, Math.max(1, Math.round(facts.area / 500)));
  const wide = Math.min(210, 440 / bays);
  const x = random.int(6, Math.max(7, WIDTH - bays * wide - 10));
  const eaves = base - random.int(88, 128);
  const metal: Color = [random.pick([205, 30, 150, 215]), random.int(8, 28), random.int(48, 74)];
  return times(bays, (at) => {
    const left = x + at * wide;
    const roof = eaves - random.int(24, 54);
    const doors = random.int(1, 2);
    return (
      polygon(
        points`${left},${base} ${left},${eaves} ${left + wide / 2},${roof} ${left + wide},${eaves} ${left + wide},${base}`,
        tone(metal, style.lit),
      ) +
      times(22, (rib) => rect([left + (rib * wide) / 22, eaves + 2, 1, base - eaves], '#000', 'fill-opacity=".1"')) +
      line(
        points`${left - 4},${eaves + 2} ${left + wide / 2},${roof} ${left + wide + 4},${eaves + 2}`,
        tone(metal, style.lit - 26),
        6,
      ) +
      times(5, (pane) =>
        rect(
          [left + 14 + (pane * (wide - 28)) / 5, eaves + 8, (wide - 28) / 6, 14],
          random.chance(0.5) ? '#dff1f5' : '#3d525c',
        ),
      ) +
      times(doors, (door) => {
        const width = (wide - 40) / doors - 10;
        const from = left + 22 + door * (width + 14);
        return random.chance(0.4)
          ? rect([from, base - 66, width, 66], '#2d2a28') +
              times(4, (box) =>
                rect(
                  [from + 6 + (box * width) / 4.5, base - random.int(12, 40), width / 6, 40],
                  tone([28, 40, random.int(44, 66)]),
                ),
              )
          : rect([from, base - 66, width, 66], tone(near(random, style.accent), style.lit + random.int(0, 40))) +
              times(7, (bar) => rect([from, base - 60 + bar * 9, width, 1.5], '#000', 'fill-opacity=".2"'));
      })
    );
  });
}

function drawPlot(random: Random, facts: HomeFacts, style: Style, base: number): string {
  const { lit, light } = style;
  const [close, far] = [HEIGHT - 34, base + 12];
  const half = Math.min(215, 90 + facts.area / 9);
  const center = random.int(180, 300);
  const [farLeft, farRight] = [center - half * random.between(0.4, 0.7), center + half * random.between(0.4, 0.7)];
  const [left, right] = [center - half, center + half];
  const around = times(random.int(3, 6), () => {
    const beside = { ...style, wall: random.pick(WALLS), lit: lit - 4 };
    return drawNeighbor(random, beside, random.int(-20, 430), random.int(50, 110), base);
  });
  const sand = tone([random.int(30, 40), random.int(30, 48), 66], lit);
  const mounds = times(16, () =>
    ellipse(
      [random.int(0, WIDTH), random.int(base + 6, HEIGHT), random.int(10, 60), random.int(3, 12)],
      tone([34, 34, random.int(44, 80)], lit),
      'fill-opacity=".5"',
    ),
  );
  const corners = points`${left},${close} ${farLeft},${far} ${farRight},${far} ${right},${close}`;
  const post = (x: number, y: number): string =>
    rect([x - 2, y - 30, 4, 30], '#fff') + rect([x - 2, y - 22, 4, 8], '#c0392b');
  return (
    around +
    rect([0, base, WIDTH, HEIGHT - base], sand) +
    mounds +
    polygon(corners, tone([random.pick([36, 95, 20]), 40, random.int(52, 78)], lit), 'fill-opacity=".75"') +
    line(`${corners}L${points`${left},${close}`}`, '#fff', 3, 'stroke-dasharray="9 6"') +
    post(left, close) +
    post(farLeft, far) +
    post(farRight, far) +
    post(right, close) +
    rect([0, HEIGHT - 24, WIDTH, 24], tone([220, 7, light.lamps ? 22 : 40])) +
    times(8, (at) => rect([at * 66 - random.int(0, 20), HEIGHT - 13, 34, 3], '#e9dfb8')) +
    times(random.int(0, 4), () =>
      ellipse(
        [random.int(0, WIDTH), random.int(base + 10, HEIGHT - 40), random.int(8, 18), 7],
        tone([90, 24, 34], lit / 2),
      ),
    )
  );
}

const DRAWN: Partial<Record<HomeFacts['type'], typeof drawHouse>> = {
  villa: drawHouse,
  duplex: drawHouse,
  townhouse: drawHouse,
  rest_house: drawHouse,
  chalet: drawHouse,
  farm: drawHouse,
  shop: drawShops,
  showroom: drawShops,
  warehouse: drawWarehouse,
  land: drawPlot,
  commercial_land: drawPlot,
};

/** Draws the building or plot of a home from the street. */
export function drawFacade(random: Random, facts: HomeFacts): string {
  const light = random.pick(LIGHTS);
  const style: Style = {
    wall: near(random, random.pick(WALLS), 5),
    accent: random.pick(ACCENTS),
    lit: light.lit - Math.min(12, facts.age / 3),
    light,
  };
  const horizon = random.int(232, 262);
  const draw = DRAWN[facts.type] ?? drawApartments;
  const street = draw === drawPlot ? '' : drawStreet(random, light, horizon);
  const front = draw === drawPlot ? '' : drawForeground(random, light, horizon + 4, !facts.pool);
  return picture(
    random,
    skyDefs(light),
    drawSky(random, light, horizon) + street + draw(random, facts, style, horizon + 4) + front,
  );
}

/** Draws a street with several buildings, as a view that all homes in a neighborhood can share. */
export function drawNeighborhood(random: Random): string {
  const light = random.pick(LIGHTS);
  const horizon = random.int(222, 256);
  const buildings = times(random.int(3, 6), (at) => {
    const style: Style = {
      wall: near(random, random.pick(WALLS), 5),
      accent: random.pick(ACCENTS),
      lit: light.lit - random.int(0, 8),
      light,
    };
    return drawNeighbor(random, style, at * random.int(70, 110) - 20, random.int(60, 120), horizon + 4);
  });
  return picture(
    random,
    skyDefs(light),
    drawSky(random, light, horizon) +
      drawStreet(random, light, horizon) +
      buildings +
      drawForeground(random, light, horizon + 4) +
      drawForeground(random, light, horizon + 8),
  );
}
