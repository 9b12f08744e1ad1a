import type { SharedTexts } from '#site/text/index.ts';
import { elementOf } from './element.ts';

type GalleryTexts = Pick<SharedTexts, 'previous_photo' | 'next_photo' | 'enlarge' | 'close'>;

/** Adds buttons to a row of photos, which a dialog shows as large as the screen. */
export function showGallery(gallery: HTMLElement, texts: GalleryTexts): void {
  const list = gallery.querySelector('ul');
  const photos = [...gallery.querySelectorAll('img')];
  if (!list || photos.length === 0) return;
  const dialog = elementOf('dialog', { className: 'enlarged', ariaLabel: list.ariaLabel });
  const count = elementOf('span', { dir: 'ltr' });
  let at = 0;
  // Not measured at first, which would delay the first paint.
  const showCount = (index: number): void => {
    at = index;
    count.textContent = `${at + 1} / ${photos.length}`;
  };
  const show = (index: number): void =>
    photos[index]?.parentElement?.scrollIntoView({ inline: 'start', block: 'nearest' });
  const move = (step: number): void => show(Math.min(photos.length - 1, Math.max(0, at + step)));
  const enlarge = (index: number): void => {
    dialog.append(list, bar);
    dialog.showModal();
    showButtons();
    show(index);
    list.focus();
  };
  dialog.addEventListener('close', () => {
    const shown = at;
    gallery.append(list, bar);
    showButtons();
    show(shown);
  });
  const larger = buttonOf(texts.enlarge, '⤢', () => enlarge(at));
  const close = buttonOf(texts.close, '×', () => dialog.close());
  const showButtons = (): void => {
    larger.hidden = dialog.open;
    close.hidden = !dialog.open;
  };
  const bar = elementOf('div', { className: 'gallery-bar' });
  if (photos.length > 1)
    bar.append(
      buttonOf(texts.previous_photo, '‹', () => move(-1)),
      count,
      buttonOf(texts.next_photo, '›', () => move(1)),
    );
  bar.append(larger, close);
  showCount(0);
  showButtons();
  gallery.append(bar, dialog);
  list.addEventListener('scroll', () => showCount(current(list, photos)), { passive: true });
  list.addEventListener('keydown', (event) => {
    const leftStep = document.documentElement.dir === 'rtl' ? 1 : -1;
    const step = { ArrowLeft: leftStep, ArrowRight: -leftStep }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(step);
  });
  for (const [index, photo] of photos.entries())
    photo.addEventListener('click', () => (dialog.open ? dialog.close() : enlarge(index)));
}

function current(list: HTMLElement, photos: readonly HTMLElement[]): number {
  const { left, right } = list.getBoundingClientRect();
  const at = photos.findIndex((photo) => {
    const box = photo.getBoundingClientRect();
    const middle = (box.left + box.right) / 2;
    return middle > left && middle < right;
  });
  return Math.max(0, at);
}

const buttonOf = (name: string, sign: string, onclick: () => void): HTMLButtonElement =>
  elementOf('button', { type: 'button', ariaLabel: name, title: name, onclick }, sign);
