import type { SharedTexts } from '#site/text/site.ts';

type GalleryTexts = Pick<SharedTexts, 'previous_photo' | 'next_photo' | 'enlarge' | 'close' | 'of'>;

/** Adds buttons to a row of photos, and a view of single photos that fills the screen. */
export function showGallery(gallery: HTMLElement, texts: GalleryTexts): void {
  const list = gallery.querySelector('ul');
  const photos = [...gallery.querySelectorAll('img')];
  if (!list || photos.length === 0) return;
  const leftStep = document.documentElement.dir === 'rtl' ? 1 : -1;

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
  const large = enlarged(photos, texts, show);

  const [count, showCount] = counterOf(photos.length);
  // `current` measures the photos, which would delay the first paint.
  showCount(0);
  const bar = document.createElement('div');
  bar.className = 'gallery-bar';
  const open = buttonOf(texts.enlarge, '⤢', () => large(current()));
  if (photos.length > 1)
    bar.append(
      buttonOf(texts.previous_photo, '‹', () => show(Math.max(0, current() - 1))),
      count,
      buttonOf(texts.next_photo, '›', () => show(Math.min(photos.length - 1, current() + 1))),
    );
  bar.append(open);
  gallery.append(bar);
  list.addEventListener('scroll', () => showCount(current()), { passive: true });
  list.addEventListener('keydown', (event) => {
    const step = stepOf(event.key, leftStep);
    if (step === 0) return;
    event.preventDefault();
    show(Math.min(photos.length - 1, Math.max(0, current() + step)));
  });
  for (const [index, photo] of photos.entries()) photo.addEventListener('click', () => large(index));
}

/** Returns a function that opens a photo on the whole screen. Closing scrolls the row to the photo shown last. */
function enlarged(
  photos: readonly HTMLImageElement[],
  texts: GalleryTexts,
  show: (index: number) => void,
): (index: number) => void {
  const leftStep = document.documentElement.dir === 'rtl' ? 1 : -1;
  const dialog = document.createElement('dialog');
  dialog.className = 'enlarged';
  const image = document.createElement('img');
  const [count, showCount] = counterOf(photos.length);
  let at = 0;
  const turn = (step: number): void => {
    at = (at + step + photos.length) % photos.length;
    const photo = photos[at];
    if (!photo) return;
    image.src = photo.src;
    image.alt = photo.alt;
    dialog.setAttribute('aria-label', photo.alt);
    showCount(at);
  };
  const bar = document.createElement('div');
  bar.className = 'gallery-bar';
  if (photos.length > 1)
    bar.append(
      buttonOf(texts.previous_photo, '‹', () => turn(-1)),
      count,
      buttonOf(texts.next_photo, '›', () => turn(1)),
    );
  const end = document.createElement('div');
  end.className = 'gallery-bar end';
  end.append(buttonOf(texts.close, '×', () => dialog.close()));
  dialog.append(image, bar, end);
  dialog.addEventListener('keydown', (event) => turn(stepOf(event.key, leftStep)));
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
    if (Math.abs(moved) > MIN_SWIPE) turn(moved > 0 ? leftStep : -leftStep);
  });
  document.body.append(dialog);
  return (index) => {
    at = index;
    turn(0);
    dialog.showModal();
  };
}

/** Minimum length of a swipe in pixels. */
const MIN_SWIPE = 40;

/** Returns the number of photos by which an arrow key moves. The arrow points to the photo that it shows. */
const stepOf = (key: string, leftStep: number): number =>
  key === 'ArrowLeft' ? leftStep : key === 'ArrowRight' ? -leftStep : 0;

/** Returns an element with the number of a photo among all, and a function that sets it. */
function counterOf(total: number): [element: HTMLElement, show: (index: number) => void] {
  const element = document.createElement('span');
  element.dir = 'ltr';
  return [
    element,
    (index) => {
      element.textContent = `${index + 1} / ${total}`;
    },
  ];
}

function buttonOf(name: string, sign: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.setAttribute('aria-label', name);
  button.title = name;
  button.textContent = sign;
  button.addEventListener('click', act);
  return button;
}
