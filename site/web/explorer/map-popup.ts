import { type Map as MapLibre, Popup } from 'maplibre-gl';
import type { LatLng } from '#domain/geography/places.ts';
import { elementOf } from '../element.ts';
import type { Circle, MapItem } from './map-circles.ts';
import type { MapMarkers } from './map-markers.ts';
import { OWN_MOVEMENT } from './map-movement.ts';

const OFFSET = 24;
const CARD_MARGIN = 8;

/** The card of a pin, or the list of listings at one place. Escape closes it, and the focus returns. */
export class MapPopup {
  readonly #map: MapLibre;
  readonly #markers: MapMarkers;
  readonly #onSelect: (id: null) => void;
  #popup: Popup | null = null;

  constructor(map: MapLibre, markers: MapMarkers, onSelect: (id: null) => void) {
    this.#map = map;
    this.#markers = markers;
    this.#onSelect = onSelect;
    map.getContainer().addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.close();
    });
  }

  /** Closes the popup as the visitor does. */
  close(): void {
    this.#popup?.remove();
  }

  /** Removes the popup, whose pin remains selected on the page. */
  remove(): void {
    const removed = this.#popup;
    this.#popup = null;
    this.#markers.selected = null;
    removed?.remove();
    this.#markers.emphasize();
  }

  openCard(id: number, at: LatLng, inside: HTMLElement): void {
    const placed = { id, ...at };
    const opened = this.#open(inside, at, placed);
    this.#markers.selected = placed;
    this.#markers.emphasize();
    this.#moveInView(opened);
  }

  /** Counts as a movement by the visitor. */
  openList({ members = [], ...at }: Circle): void {
    const [first] = members;
    if (!first) return;
    const items = members.map((member) => elementOf('li', {}, this.#markers.pinButton(member, 'map-link')));
    const list = elementOf('ul', { className: 'map-list' }, ...items);
    if (this.#markers.selected !== null) this.#onSelect(null);
    this.#moveInView(this.#open(list, at, first));
    list.querySelector('button')?.focus();
  }

  /** @param shown the pin that the popup is about */
  #open(inside: HTMLElement, { lat, lng }: LatLng, shown: MapItem): Popup {
    const before = document.activeElement;
    this.remove();
    const opened = new Popup({ focusAfterOpen: false, offset: OFFSET, maxWidth: 'none' })
      .setLngLat([lng, lat])
      .setDOMContent(inside)
      .addTo(this.#map);
    opened.on('close', () => {
      if (this.#popup !== opened) return;
      this.#popup = null;
      if (this.#markers.selected !== null) this.#onSelect(null);
      this.#markers.selected = null;
      this.#markers.emphasize();
      if (document.activeElement !== document.body) return;
      const canReturn = before instanceof HTMLElement && before.isConnected && before !== document.body;
      this.#markers.focus(canReturn ? before : this.#markers.elementShowing(shown));
    });
    this.#popup = opened;
    return opened;
  }

  #moveInView(opened: Popup): void {
    const card = opened.getElement().getBoundingClientRect();
    const box = this.#map.getContainer().getBoundingClientRect();
    const beyond = (from: number, to: number, start: number, end: number): number =>
      from < start + CARD_MARGIN ? from - start - CARD_MARGIN : Math.max(to - end + CARD_MARGIN, 0);
    const x = beyond(card.left, card.right, box.left, box.right);
    const y = beyond(card.top, card.bottom, box.top, box.bottom);
    if (x !== 0 || y !== 0) this.#map.panBy([x, y], { animate: false }, OWN_MOVEMENT);
  }
}
