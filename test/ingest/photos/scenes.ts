import { seeded } from '#test/random.ts';

/** Renders a different scene for each seed as RGB pixels: a shaded background, rectangles, ellipses and noise. */
export function scene(seed: number, width = 640, height = 480): Buffer {
  const random = seeded(seed * 7_919 + 1);
  const color = () => [random() * 255, random() * 255, random() * 255] as const;
  const [from, to, angle] = [color(), color(), random() * Math.PI * 2];
  const shapes = Array.from({ length: 12 + Math.floor(random() * 12) }, () => ({
    x: random() * width,
    y: random() * height,
    w: (0.04 + random() * 0.25) * width,
    h: (0.04 + random() * 0.25) * height,
    round: random() < 0.5,
    fill: color(),
  }));
  const pixels = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const along = 0.5 + (Math.cos(angle) * (x / width - 0.5) + Math.sin(angle) * (y / height - 0.5)) / 1.5;
      const fill = shapes.findLast(({ x: cx, y: cy, w, h, round }) => {
        const dx = (x - cx) / w;
        const dy = (y - cy) / h;
        return round ? dx * dx + dy * dy < 1 : Math.abs(dx) < 1 && Math.abs(dy) < 1;
      })?.fill;
      const noise = (random() - 0.5) * 16;
      for (let at = 0; at < 3; at++) {
        const first = from[at] as number;
        const value = fill?.[at] ?? first + ((to[at] as number) - first) * along;
        pixels[(y * width + x) * 3 + at] = Math.max(0, Math.min(255, value + noise));
      }
    }
  return pixels;
}
