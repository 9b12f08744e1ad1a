import PQueue from 'p-queue';
import sharp, { type OverlayOptions } from 'sharp';
import { OVERLOAD } from '#domain/read-queues.ts';
import { escapeText } from '#src/documents/html.ts';
import { directionOf, type Language } from '#src/documents/language.ts';
import { PREVIEW, shortened } from './page.ts';

export interface Preview {
  title: string;
  /** Line above the title in large type: the price of a listing. */
  price?: string;
  text: string;
  photo?: Uint8Array | null;
}

const { width: WIDTH, height: HEIGHT } = PREVIEW;
const MARGIN = 64;
const LINE_GAP = 18;
const GROUND = '#0b3f37';
/** The first families with Arabic and Latin letters are used. */
const FAMILIES = 'Noto Sans,Noto Sans Arabic,DejaVu Sans';
const MAX_TITLE = 110;
const MAX_TEXT = 130;
/** As for photos that are stored. */
const MAX_PIXELS = 25_000_000;
const TIME_LIMIT_S = 10;

/** Maximum number of images that are drawn or wait to be drawn. */
const MAX_WAITING = 20;
const queue = new PQueue({ concurrency: 1 });

/** Draws a preview image as a JPEG. @throws OVERLOAD if too many images are waiting */
export async function drawPreview(preview: Preview, brand: string, language: Language): Promise<Buffer> {
  if (queue.size + queue.pending >= MAX_WAITING) throw OVERLOAD;
  return queue.add(() => draw(preview, brand, language));
}

async function draw({ title, price, text, photo = null }: Preview, brand: string, language: Language): Promise<Buffer> {
  const lines = [
    ...(price === undefined ? [] : [{ text: price, size: 62, bold: true }]),
    { text: shortened(title, MAX_TITLE), size: price === undefined ? 62 : 44, bold: true },
    { text: shortened(text, MAX_TEXT), size: 32, bold: false },
  ].filter((line) => line.text.trim() !== '');
  const drawn = await Promise.all(lines.map(drawText));
  const name = await drawText({ text: brand, size: 30, bold: true });
  const left = (width: number): number => (directionOf(language) === 'rtl' ? WIDTH - MARGIN - width : MARGIN);
  const layers: OverlayOptions[] = [];
  let bottom = HEIGHT - MARGIN;
  for (const { data, info } of drawn.toReversed()) {
    layers.push({ input: data, left: left(info.width), top: Math.max(0, bottom - info.height) });
    bottom -= info.height + LINE_GAP;
  }
  const icon = { side: 56, left: left(56), top: MARGIN };
  layers.push({
    input: name.data,
    left: directionOf(language) === 'rtl' ? icon.left - LINE_GAP - name.info.width : icon.left + icon.side + LINE_GAP,
    top: MARGIN + Math.round((icon.side - name.info.height) / 2),
  });
  const base = photo === null ? null : await cover(photo);
  const ground = base
    ? sharp(base)
    : sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: GROUND } });
  return ground
    .composite([{ input: overlay(icon, base !== null), left: 0, top: 0 }, ...layers])
    .jpeg({ quality: 84, chromaSubsampling: '4:4:4' })
    .timeout({ seconds: TIME_LIMIT_S })
    .toBuffer();
}

/** Returns a photo that covers the image, or null if it is damaged. */
async function cover(photo: Uint8Array): Promise<Buffer | null> {
  try {
    return await sharp(photo, { limitInputPixels: MAX_PIXELS })
      .timeout({ seconds: TIME_LIMIT_S })
      .autoOrient()
      .flatten({ background: '#fff' })
      .resize(WIDTH, HEIGHT, { fit: 'cover' })
      .png({ compressionLevel: 1 })
      .toBuffer();
  } catch {
    return null;
  }
}

/** Returns the icon, and a shade that makes text readable on a photo. */
const overlay = (icon: { side: number; left: number; top: number }, shaded: boolean): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
<linearGradient id="shade" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#04201b" stop-opacity=".72"/><stop offset=".3" stop-color="#04201b" stop-opacity=".12"/><stop offset=".95" stop-color="#04201b" stop-opacity=".95"/></linearGradient>
${shaded ? `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#shade)"/>` : ''}
<svg x="${icon.left}" y="${icon.top}" width="${icon.side}" height="${icon.side}" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#fff"/><path d="M7 16l9-8 9 8v9h-6v-6h-6v6H7z" fill="#0b6b5d"/></svg>
</svg>`);

/** Draws wrapped text. Its letters are shaped and ordered by Pango, with the direction of the first letter. */
function drawText({ text, size, bold }: { text: string; size: number; bold: boolean }) {
  // Control characters are invalid in Pango's markup.
  const safe = escapeText(text.replace(/\p{Cc}/gu, ' '));
  return sharp({
    text: {
      text: `<span foreground="white">${safe}</span>`,
      font: `${FAMILIES} ${bold ? 'Bold ' : ''}${size}`,
      width: WIDTH - 2 * MARGIN,
      dpi: 72,
      rgba: true,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true });
}
