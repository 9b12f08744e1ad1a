import type { Random } from '../random.ts';
import {
  type Color,
  ellipse,
  gradient,
  HEIGHT,
  layers,
  line,
  points,
  rect,
  times,
  tone,
  trapezoid,
  WIDTH,
} from './svg.ts';

/** The time of day and the weather of a picture taken outdoors. */
export interface Light {
  sky: readonly [top: string, bottom: string];
  sun: Color;
  cloud: string;
  ground: Color;
  /** Change of lightness of lit surfaces in percent. */
  lit: number;
  lamps: boolean;
}

const light = (sky: Light['sky'], sun: Color, cloud: string, ground: Color, lit: number, lamps = false): Light => ({
  sky,
  sun,
  cloud,
  ground,
  lit,
  lamps,
});

/** Noon, haze, evening, night, overcast. */
export const LIGHTS: readonly Light[] = [
  light(['hsl(210,70%,55%)', 'hsl(200,60%,88%)'], [48, 95, 85], '#fff', [38, 32, 74], 6),
  light(['hsl(205,60%,70%)', 'hsl(40,50%,92%)'], [45, 90, 88], '#fff', [35, 28, 68], 2),
  light(['hsl(215,45%,45%)', 'hsl(25,85%,72%)'], [28, 95, 70], 'hsl(20,70%,80%)', [30, 25, 52], -6, true),
  light(['hsl(232,45%,20%)', 'hsl(265,35%,45%)'], [50, 30, 88], 'hsl(250,25%,38%)', [245, 14, 30], -26, true),
  light(['hsl(210,18%,70%)', 'hsl(205,15%,86%)'], [0, 0, 94], 'hsl(210,12%,93%)', [36, 14, 62], -4),
];

export const skyDefs = ({ sky }: Light): string => gradient('sky', sky[0], sky[1]);

/** Draws the sky with its sun, clouds and far skyline, down to `horizon`. */
export function drawSky(random: Random, light: Light, horizon: number): string {
  const clouds = times(random.int(1, 4), () => {
    const [x, y, size] = [random.int(-20, WIDTH), random.int(8, 110), random.int(24, 62)];
    return times(4, (at) =>
      ellipse(
        [x + (at - 1.5) * size * 0.7, y - (at % 3) * size * 0.14, size * random.between(0.5, 0.8), size * 0.28],
        light.cloud,
        'fill-opacity=".75"',
      ),
    );
  });
  const far = times(14, (at) => {
    const height = random.int(6, random.chance(0.25) ? 110 : 50);
    return rect(
      [at * 36 - random.int(0, 12), horizon - height, random.int(20, 40), height],
      tone(light.sun, light.lamps ? -48 : -22),
      'fill-opacity=".4"',
    );
  });
  return (
    rect([0, 0, WIDTH, horizon + 8], 'url(#sky)') +
    ellipse([random.int(20, WIDTH - 20), random.int(20, 90), 16, 16], tone(light.sun), 'fill-opacity=".9"') +
    clouds +
    far
  );
}

export function drawStreet(random: Random, light: Light, horizon: number): string {
  const street: Color = [220, 8, light.lamps ? 24 : 42];
  const curb = horizon + random.int(16, 30);
  return (
    rect([0, horizon, WIDTH, HEIGHT - horizon], tone(light.ground)) +
    rect([0, curb, WIDTH, HEIGHT - curb], tone(street)) +
    rect([0, curb, WIDTH, 4], tone(light.ground, 10)) +
    times(7, (at) =>
      rect([at * 76 - random.int(0, 30), (curb + HEIGHT) / 2 + 6, 38, 3], tone([48, 30, 80]), 'fill-opacity=".8"'),
    )
  );
}

export function drawPalm(random: Random, x: number, base: number, height: number, dark: number): string {
  const top = base - height;
  const leaf: Color = [random.int(88, 125), 34, 34 + dark];
  const crown = times(9, (at) => {
    const angle = Math.PI * (1.08 + (at / 8) * 0.84) + (at % 2 ? 0.3 : -0.1);
    const reach = height * random.between(0.3, 0.46);
    const [tipX, tipY] = [x + Math.cos(angle) * reach, top + Math.sin(angle) * reach * 0.55 + reach * 0.4];
    return `<path d="M${x} ${top}Q${((x + tipX) / 2).toFixed(1)} ${(top - reach * 0.45).toFixed(1)} ${tipX.toFixed(1)} ${tipY.toFixed(1)}Q${((x + tipX) / 2).toFixed(1)} ${(top - reach * 0.1).toFixed(1)} ${x} ${top}Z" fill="${tone(leaf, (at % 3) * 5)}"/>`;
  });
  const width = height * 0.035 + 1;
  return (
    trapezoid([x - width, x + width, base], [x - width * 0.6, x + width * 0.6, top], tone([28, 28, 36 + dark])) + crown
  );
}

export function drawTree(random: Random, x: number, base: number, height: number, dark: number): string {
  const leaf: Color = [random.int(80, 140), random.int(22, 42), random.int(26, 42) + dark];
  return (
    rect([x - height * 0.03, base - height * 0.5, height * 0.06, height * 0.5], tone([25, 25, 30 + dark])) +
    times(5, (at) =>
      ellipse(
        [x + (at - 2) * height * 0.13, base - height * (0.62 + (at % 2) * 0.16), height * 0.22, height * 0.2],
        tone(leaf, at * 2 - 3),
      ),
    )
  );
}

function drawCar(random: Random, x: number, y: number, dark: number): string {
  const body: Color = [random.int(0, 360), random.pick([4, 8, 45]), random.pick([22, 45, 82]) + dark];
  const glass = tone([210, 25, 28]);
  return (
    ellipse([x + 34, y + 21, 38, 4], '#000', 'fill-opacity=".25"') +
    `<path d="M${x} ${y + 18}v-8q2-4 12-5l9-8q3-2 8-2h15q5 0 9 4l7 7q8 1 9 5v7z" fill="${tone(body)}"/>` +
    `<path d="M${x + 15} ${y + 5}l7-6q2-2 5-2h6v8zM${x + 36} ${y + 5}v-8h7q4 0 7 3l5 5z" fill="${glass}"/>` +
    ellipse([x + 15, y + 18, 6, 6], '#222') +
    ellipse([x + 54, y + 18, 6, 6], '#222') +
    ellipse([x + 15, y + 18, 2.6, 2.6], '#bbb') +
    ellipse([x + 54, y + 18, 2.6, 2.6], '#bbb')
  );
}

/** Draws plants, cars and street lamps in front of buildings. */
export function drawForeground(random: Random, light: Light, base: number, street = true): string {
  const dark = light.lamps ? -12 : 0;
  const plants = times(random.int(2, 5), () => {
    const x = random.int(4, WIDTH - 4);
    const height = random.int(34, 96);
    return random.chance(0.55)
      ? drawPalm(random, x, base + random.int(0, 14), height * 1.25, dark)
      : drawTree(random, x, base + random.int(0, 14), height, dark);
  });
  const bushes = times(random.int(0, 6), () =>
    ellipse(
      [random.int(0, WIDTH), base + random.int(2, 12), random.int(10, 24), random.int(7, 13)],
      tone([random.int(85, 130), 32, 30 + dark + random.int(0, 10)]),
    ),
  );
  const lamp = random.int(20, WIDTH - 20);
  const lamps =
    random.chance(0.5) &&
    layers(
      line(points`${lamp},${base + 12} ${lamp},${base - 96} ${lamp + 22},${base - 102}`, tone([220, 8, 30]), 2.5),
      light.lamps && ellipse([lamp + 22, base - 99, 26, 18], tone([45, 90, 75]), 'fill-opacity=".3"'),
      rect([lamp + 16, base - 103, 13, 4], light.lamps ? '#fff3c4' : '#888'),
    );
  const cars = times(street ? random.int(0, 2) : 0, () =>
    drawCar(random, random.int(-10, 420), base + random.int(18, 34), dark),
  );
  return layers(bushes, plants, lamps, cars);
}
