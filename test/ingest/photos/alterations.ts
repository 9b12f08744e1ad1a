import sharp, { type Sharp } from 'sharp';
import { scene } from './scenes.ts';

const WIDTH = 320;
const HEIGHT = 240;

const watermark = (width: number, height: number): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="#fff" fill-opacity="0.5">
       <path d="M${width * 0.3} ${height * 0.44}h${width * 0.4}v${height * 0.03}h-${width * 0.4}z"/>
       <path d="M${width * 0.35} ${height * 0.5}h${width * 0.3}v${height * 0.04}h-${width * 0.3}z"/></g></svg>`,
  );

const crop = (photo: Sharp, share: number, at: number): Sharp => {
  const width = Math.round(WIDTH * (1 - share));
  const height = Math.round(HEIGHT * (1 - share));
  return photo.extract({
    left: Math.round((WIDTH - width) * at),
    top: Math.round((HEIGHT - height) * at),
    width,
    height,
  });
};

/** Alterations that platforms make to uploaded photos. */
export const ALTERATIONS: Readonly<Record<string, (photo: Sharp) => Sharp>> = {
  'quality 90': (photo) => photo.jpeg({ quality: 90 }),
  'quality 50': (photo) => photo.jpeg({ quality: 50 }),
  'quality 20': (photo) => photo.jpeg({ quality: 20 }),
  webp: (photo) => photo.webp({ quality: 60 }),
  'half the size': (photo) => photo.resize(WIDTH / 2).jpeg(),
  'a quarter of the size': (photo) => photo.resize(WIDTH / 4).jpeg({ quality: 60 }),
  'brighter by 15%': (photo) => photo.modulate({ brightness: 1.15 }).jpeg(),
  watermarked: (photo) => photo.composite([{ input: watermark(WIDTH, HEIGHT) }]).jpeg(),
  'cropped by 5% around': (photo) => crop(photo, 0.05, 0.5).jpeg(),
  'cropped by 5% at a corner': (photo) => crop(photo, 0.05, 0).jpeg(),
};

/** Renders a scene in the format of a camera photo, to be altered. */
export async function storedScene(seed: number): Promise<Buffer> {
  const raw = { width: WIDTH, height: HEIGHT, channels: 3 as const };
  return sharp(scene(seed, WIDTH, HEIGHT), { raw })
    .jpeg({ quality: 92 })
    .toBuffer();
}

export const alter = (bytes: Uint8Array, name: string): Promise<Buffer> =>
  (ALTERATIONS[name] as (photo: Sharp) => Sharp)(sharp(bytes)).toBuffer();
