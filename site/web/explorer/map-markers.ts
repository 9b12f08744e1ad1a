import { type Map as MapLibre, Marker } from 'maplibre-gl';
import type { LatLng } from '#domain/geography/places.ts';
import { classOfPrice, FEW, isApart, type PixelBox, spread } from '#site/server/clusters.ts';
import { elementOf } from '../element.ts';
import {
  type Circle,
  circleOf,
  isInCircle,
  joined,
  type MapContent,
  type MapItem,
  markerButton,
  type Pin,
  priceText,
} from './map-circles.ts';
import { format } from './page-data.ts';

export interface NamedCenter extends LatLng {
  id: number;
  name: string;
  count: number;
}

export interface MarkerEvents {
  onPoint(id: number | null): void;
  /** Called with a chosen pin, or null when the visitor closes its card. */
  onSelect(id: number | null): void;
  /** Called with a chosen neighborhood. */
  onChoose(id: number): void;
  onOpenCircle(circle: Circle): void;
}

const LABEL = { width: 96, height: 30 };
const MARKER = { width: 62, height: 44 };
/** Pixels between circles, and between a circle and its name. */
const GAP = 2;
/** Maximum number of neighborhood names, and the zoom from which there are any. */
const NAMES = 24;
const NAMES_ZOOM = 8;

/** Pins, circles and names of neighborhoods: HTML elements, so that the browser renders their text, including Arabic. */
export class MapMarkers {
  readonly #map: MapLibre;
  readonly #events: MarkerEvents;
  readonly #element: HTMLElement;
  #markers: Marker[] = [];
  #drawn: { element: HTMLElement; shows(placed: MapItem): boolean }[] = [];
  content: MapContent | null = null;
  centers: readonly NamedCenter[] = [];
  /** The pins that are emphasized: of the card, and of the row under the pointer. */
  selected: MapItem | null = null;
  pointed: MapItem | null = null;

  constructor(map: MapLibre, events: MarkerEvents) {
    this.#map = map;
    this.#events = events;
    this.#element = map.getContainer();
  }

  /** Draws everything again. The focus stays on the marker that had it. */
  draw(): void {
    const focused = this.#elements().find((each) => each === document.activeElement);
    for (const marker of this.#markers) marker.remove();
    this.#markers = [];
    this.#drawn = [];
    this.#drawNames(this.#drawContent());
    this.emphasize();
    if (!focused) return;
    // The focused marker was removed. A circle can contain its pin now.
    const { key, id } = focused.dataset;
    const same = this.#elements().find(({ dataset }) => dataset.key === key);
    this.focus(same ?? this.elementShowing({ id: Number(id), lat: null, lng: null }));
  }

  emphasize(): void {
    for (const { element, shows } of this.#drawn) {
      const isEmphasized = [this.pointed, this.selected].some((placed) => placed && shows(placed));
      element.classList.toggle('pointed', isEmphasized);
    }
  }

  elementShowing(placed: MapItem): HTMLElement | undefined {
    return this.#drawn.find(({ shows }) => shows(placed))?.element;
  }

  focus(focused: HTMLElement | undefined): void {
    (focused ?? this.#map.getCanvas()).focus({ preventScroll: true });
  }

  pinButton({ id, price, name }: Pin, className: string): HTMLButtonElement {
    const { onPoint, onSelect } = this.#events;
    const button = markerButton(className, priceText(price));
    button.dataset.id = String(id);
    button.setAttribute('aria-label', name);
    button.setAttribute('aria-haspopup', 'dialog');
    for (const event of ['pointerenter', 'focus']) button.addEventListener(event, () => onPoint(id));
    for (const event of ['pointerleave', 'blur']) button.addEventListener(event, () => onPoint(null));
    button.addEventListener('click', (event) => {
      event.stopPropagation();
      // The map prevents the focus by a press of the mouse.
      button.focus({ preventScroll: true });
      onSelect(id);
    });
    return button;
  }

  #elements(): HTMLElement[] {
    return this.#markers.map((marker) => marker.getElement());
  }

  /** @param key identifies the marker when it is drawn again */
  #mark(element: HTMLElement, key: string, at: LatLng, offset: [x: number, y: number] = [0, 0]): void {
    element.dataset.key = key;
    this.#markers.push(new Marker({ element, offset }).setLngLat(at).addTo(this.#map));
  }

  readonly #place = <Item extends LatLng>(item: Item) => ({ ...item, ...this.#map.project(item) });

  #classOf(price: number | null): string {
    return price === null ? '' : `price-${classOfPrice(price, this.content?.limits ?? [])}`;
  }

  #circleButton(circle: Circle): HTMLButtonElement {
    const { count, price, name, label, members } = circle;
    const button = markerButton(`map-cluster ${this.#classOf(price)}`, format.number(count));
    // A circle of pins is not hatched, because zooming in shows their prices.
    button.classList.toggle('few', !members && count < FEW);
    if (price !== null) button.append(elementOf('small', { className: 'median' }, priceText(price)));
    if (label !== undefined) button.append(elementOf('small', { className: 'place' }, label));
    button.title = name;
    button.addEventListener('click', (event) => {
      // A click on the map closes the list.
      event.stopPropagation();
      this.#events.onOpenCircle(circle);
    });
    return button;
  }

  #controls() {
    const box = this.#element.getBoundingClientRect();
    const { left, top, width, height } =
      this.#element.querySelector('.maplibregl-ctrl-group')?.getBoundingClientRect() ?? new DOMRect(box.left, box.top);
    return { x: left - box.left + width / 2, y: top - box.top + height / 2, width, height };
  }

  /**
   * Prices that overlap become one circle, so that every listing in view is drawn or counted once. @returns the
   * boxes of the markers
   */
  #drawContent(): PixelBox[] {
    if (!this.content) return [];
    const { pins, describe } = this.content;
    const pinned = pins.map((pin) => ({ ...this.#place(circleOf(pin)), pin, ...MARKER }));
    const near = spread(pinned, 0);
    const alone = near.filter(({ members }) => members.length === 1);
    const circles = [
      ...near.filter(({ members }) => members.length > 1).map(({ members }) => joined(members, describe)),
      // Cells of the whole country extend into the sea and the desert, so their circles are drawn at a city.
      ...this.content.circles.map(({ city, ...circle }) =>
        city ? { ...circle, lat: city.lat, lng: city.lng, label: city.name } : circle,
      ),
    ];
    // A circle far from its neighborhood would seem to be that of another one.
    const farthest = circles.some(({ neighborhood }) => neighborhood !== undefined) ? 30 : 150;
    const obstacles = [this.#controls(), ...alone.map(({ x, y }) => ({ x, y, ...MARKER }))];
    const placed = spread(this.#measured(circles.map(this.#place)), farthest, obstacles);
    for (const { members } of alone) {
      const [{ pin }] = members;
      const button = this.pinButton(pin, `map-pin ${this.#classOf(pin.price)}`);
      this.#mark(button, `pin ${pin.id}`, pin);
      this.#drawn.push({ element: button, shows: ({ id }) => id === pin.id });
    }
    // The largest is drawn last, above the others.
    for (const { members, x, y } of placed.toReversed()) {
      const [first] = members;
      const circle = members.length === 1 ? first : joined(members, describe);
      const button = members.length === 1 ? first.button : this.#circleButton(circle);
      this.#mark(button, `circle ${circle.box}`, first, [x - first.x, y - first.y]);
      this.#drawn.push({ element: button, shows: (placed) => isInCircle(placed, circle) });
    }
    return [...alone, ...placed];
  }

  /** Adds the buttons of circles, their sizes on the screen with their names, and the centers of these boxes. */
  #measured<Item extends Circle & { x: number; y: number }>(circles: readonly Item[]) {
    const drawn = circles.map((circle) => ({ ...circle, button: this.#circleButton(circle) }));
    this.#element.append(...drawn.map(({ button }) => button));
    const sized = drawn.map((circle) => {
      const { offsetWidth, offsetHeight } = circle.button;
      const name = circle.button.querySelector<HTMLElement>('.place');
      const below = name ? name.offsetHeight + 2 * GAP : 0;
      const width = Math.max(offsetWidth, name?.offsetWidth ?? 0) + GAP;
      return { ...circle, y: circle.y + below / 2, width, height: offsetHeight + below + GAP };
    });
    for (const { button } of drawn) button.remove();
    return sized;
  }

  #drawNames(drawn: readonly PixelBox[]): void {
    if (this.#map.getZoom() < NAMES_ZOOM) return;
    const { clientWidth, clientHeight } = this.#element;
    const taken = [...drawn];
    for (const center of this.centers.map(this.#place)) {
      const { x, y } = center;
      if (x <= 0 || y <= 0 || x >= clientWidth || y >= clientHeight) continue;
      if (taken.length >= drawn.length + NAMES) break;
      const box = { x, y, ...LABEL };
      if (!taken.every((other) => isApart(other, box))) continue;
      taken.push(box);
      const button = markerButton('map-label', center.name);
      button.addEventListener('click', () => this.#events.onChoose(center.id));
      this.#mark(button, `neighborhood ${center.id}`, center);
    }
  }
}
