import sharp from 'sharp';
import { seeded } from '#test/random.ts';

/** Renders a different scene for each seed as RGB pixels: soft and hard shapes in random colors. */
export async function scene(seed: number, width = 640, height = 480): Promise<Buffer> {
  const random = seeded(seed * 7_919 + 1);
  const grid = (columns: number, rows: number) =>
    sharp(Buffer.from(Array.from({ length: columns * rows * 3 }, () => random() * 255)), {
      raw: { width: columns, height: rows, channels: 3 },
    });
  const hard = await grid(4, 3)
    .resize(width / 2, height / 2, { kernel: 'nearest', fit: 'fill' })
    .png()
    .toBuffer();
  const left = Math.round(random() * (width / 2));
  const top = Math.round(random() * (height / 2));
  const soft = await grid(8, 6).resize(width, height, { kernel: 'cubic', fit: 'fill' }).png().toBuffer();
  return sharp(soft)
    .composite([{ input: hard, left, top }])
    .removeAlpha()
    .raw()
    .toBuffer();
}
