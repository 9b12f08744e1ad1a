import { crc32, deflateSync } from 'node:zlib';
import { hashText, Random } from './random.ts';

const WIDTH = 240;
const HEIGHT = 160;
const BLOCK = 20;
const COLORS = 32;

/** Returns the simulated fault of a photo: most are images; a few are missing, not images, or slow. */
export function photoFault(name: string): 'missing' | 'not_image' | 'slow' | null {
  const mark = hashText(`fault ${name}`) % 1000;
  if (mark < 5) return 'missing';
  if (mark < 8) return 'not_image';
  return mark < 10 ? 'slow' : null;
}

/** Renders a small PNG of colored blocks, whose bytes depend only on the name. */
export function picture(name: string): Buffer {
  const random = new Random(hashText(name), name.length);
  const palette = Buffer.from(Array.from({ length: COLORS * 3 }, () => random.int(0, 255)));
  const pixels = Buffer.alloc((WIDTH + 1) * HEIGHT);
  for (let y = 0; y < HEIGHT; y += BLOCK) {
    const top = y * (WIDTH + 1);
    for (let x = 0; x < WIDTH; x += BLOCK) {
      pixels.fill(random.int(0, COLORS - 1), top + 1 + x, top + 1 + x + BLOCK);
    }
    for (let copy = 1; copy < BLOCK; copy++) {
      pixels.copyWithin(top + copy * (WIDTH + 1), top, top + WIDTH + 1);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([8, 3], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Title\0${name}`, 'latin1')),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(pixels, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}
