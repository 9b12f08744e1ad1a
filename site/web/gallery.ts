import type { SharedTexts } from '#site/text/index.ts';
import { elementOf } from './element.ts';

type GalleryTexts = Pick<SharedTexts, 'previous_photo' | 'next_photo' | 'enlarge' | 'close' | 'of'>;

/** Minimum length of a swipe in pixels. */
const MIN_SWIPE = 40;

/** Adds buttons to a row of photos, and a view of single photos that fills the screen. */
export function showGallery(gallery: HTMLElement, texts: GalleryTexts): void {
  const list = gallery.querySelector('ul');
  const photos = [...gallery.querySelectorAll('img')];
  if (!list || photos.length === 0) return;

  const show = (index: number): void =>
    photos[index]?.parentElement?.scrollIntoView({ inline: 'start', block: 'nearest' });
  /** Index of the first photo that is at least half in view. */
  const current = (): number => {
    const { left, right } = list.getBoundingClientRect();
    const at = photos.findIndex((photo) => {
      const box = photo.getBoundingClientRect();
      const middle = (box.left + box.right) / 2;
      return middle > left && middle < right;
    });
    return Math.max(0, at);
  };
  const move = (step: number): void => show(Math.min(photos.length - 1, Math.max(0, current() + step)));
  const large = enlarged(photos, texts, show);

  const { bar, showCount } = barOf(photos.length, texts, move);
  // `current` measures the photos, which would delay the first paint.
  showCount(0);
  bar.append(buttonOf(texts.enlarge, '⤢', () => large(current())));
  gallery.append(bar);
  list.addEventListener('scroll', () => showCount(current()), { passive: true });
  list.addEventListener('keydown', (event) => {
    const step = stepOf(event.key);
    if (step === 0) return;
    event.preventDefault();
    move(step);
  });
  for (const [index, photo] of photos.entries()) photo.addEventListener('click', () => large(index));
}

/** Closing scrolls the row to the photo shown last. */
function enlarged(
  photos: readonly HTMLImageElement[],
  texts: GalleryTexts,
  show: (index: number) => void,
): (index: number) => void {
  const image = elementOf('img');
  let at = 0;
  const turn = (step: number): void => {
    at = (at + step + photos.length) % photos.length;
    const photo = photos[at];
    if (!photo) return;
    image.src = photo.src;
    image.alt = photo.alt;
    dialog.ariaLabel = photo.alt;
    showCount(at);
  };
  const { bar, showCount } = barOf(photos.length, texts, turn);
  const close = buttonOf(texts.close, '×', () => dialog.close());
  const end = elementOf('div', { className: 'gallery-bar end' }, close);
  const dialog = elementOf('dialog', { className: 'enlarged' }, image, bar, end);
  dialog.addEventListener('keydown', (event) => turn(stepOf(event.key)));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => show(at));
  let begun: number | null = null;
  dialog.addEventListener('pointerdown', (event) => {
    begun = event.clientX;
  });
  dialog.addEventListener('pointerup', (event) => {
    const moved = event.clientX - (begun ?? event.clientX);
    begun = null;
    if (Math.abs(moved) > MIN_SWIPE) turn(stepOf(moved > 0 ? 'ArrowLeft' : 'ArrowRight'));
  });
  document.body.append(dialog);
  return (index) => {
    at = index;
    turn(0);
    dialog.showModal();
  };
}

function stepOf(key: string): number {
  const leftStep = document.documentElement.dir === 'rtl' ? 1 : -1;
  return { ArrowLeft: leftStep, ArrowRight: -leftStep }[key] ?? 0;
}

/** Returns a bar with buttons and the number of the photo, if there are several photos. */
function barOf(total: number, texts: GalleryTexts, move: (step: number) => void) {
  const count = elementOf('span', { dir: 'ltr' });
  const bar = elementOf('div', { className: 'gallery-bar' });
  if (total > 1)
    bar.append(
      buttonOf(texts.previous_photo, '‹', () => move(-1)),
      count,
      buttonOf(texts.next_photo, '›', () => move(1)),
    );
  const showCount = (index: number): void => {
    count.textContent = `${index + 1} / ${total}`;
  };
  return { bar, showCount };
}

const buttonOf = (name: string, sign: string, onclick: () => void): HTMLButtonElement =>
  elementOf('button', { type: 'button', ariaLabel: name, title: name, onclick }, sign);
