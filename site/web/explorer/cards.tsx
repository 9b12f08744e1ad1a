import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Listing } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { known, sourceName } from '#site/server/format.ts';
import { cardFacts, cardPrice, factSpans, listingCard } from '#site/server/listing-card.ts';
import { html } from '#src/documents/html.ts';
import { useData } from './api-requests.ts';
import { Waiting } from './elements.tsx';
import { addressOf, data, format, labelOf, nameOf, pathOf, texts } from './page-data.ts';

const WORDS = { texts, format, language: data.language, typeName: (type: string) => labelOf('property_types', type) };

/** Distance in pixels from the screen at which photos load. Browsers load all of a list, which delays the map. */
const NEAR_PX = 200;

const observer = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) showPhoto(target as HTMLImageElement);
  },
  { rootMargin: `${NEAR_PX}px` },
);

function showPhoto(image: HTMLImageElement): void {
  observer.unobserve(image);
  image.src = image.dataset.src ?? '';
}

/** Loads the photo of a card when it is near the screen. */
function usePhoto(card: RefObject<HTMLElement | null>, source: string | undefined): void {
  useEffect(() => {
    const image = card.current?.querySelector('img');
    if (!image) return;
    observer.observe(image);
    return () => observer.unobserve(image);
  }, [source]);
}

const photoOf = ([first]: readonly string[]) =>
  first === undefined
    ? html`<span class="no-photo">${texts.no_photo}</span>`
    : html`<img data-src="${first}" alt="" width="132" height="99">`;

const pageOf = ({ id }: Listing): string => pathOf(`/listings/${id}`);

export function Card({ listing }: { listing: Listing }) {
  const card = useRef<HTMLAnchorElement>(null);
  const __html = useMemo(() => listingCard(listing, photoOf(listing.images), Date.now(), WORDS).markup, [listing]);
  usePhoto(card, listing.images[0]);
  return <a class="card" href={pageOf(listing)} ref={card} dangerouslySetInnerHTML={{ __html }} />;
}

export function ProjectCard({ project }: { project: Project }) {
  const { price, developer, delivery_date, status, location, images } = project;
  const card = useRef<HTMLDivElement>(null);
  usePhoto(card, images[0]);
  const { neighborhood_name_en: name_en, neighborhood_name_ar: name_ar } = location;
  const facts = known([
    price.min_sar === null ? null : `${texts.from_price} ${format.sar(price.min_sar)}`,
    labelOf('project_statuses', status),
    nameOf({ name_en, name_ar }) || null,
  ]);
  return (
    <div class="card project" ref={card}>
      {images[0] ? (
        <img data-src={images[0]} alt="" width="132" height="99" />
      ) : (
        <span class="no-photo">{texts.no_photo}</span>
      )}
      <div class="about">
        <strong>{nameOf(project)}</strong>
        <span dangerouslySetInnerHTML={{ __html: factSpans(facts).markup }} />
        <small>
          {developer ? `${texts.developer}: ${nameOf(developer)} · ` : ''}
          {delivery_date ? `${texts.delivery}: ${format.day(delivery_date)} · ` : ''}
          {sourceName(project.source.name)}
        </small>
        <Units project={project.id} />
      </div>
    </div>
  );
}

/** Loads the units when the visitor opens the list. */
function Units({ project }: { project: number }) {
  const [isOpen, setOpen] = useState(false);
  const address = addressOf('listProjectUnits', { limit: '10' }, { id: String(project) });
  const loaded = useData<Listing[]>(isOpen ? address : null);
  const rows = loaded.data;
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.project_units}</summary>
      {rows ? (
        <ul>
          {rows.map((listing) => (
            <li key={listing.id}>
              <a href={pageOf(listing)}>{[cardPrice(listing, WORDS), ...cardFacts(listing, WORDS)].join(' · ')}</a>
            </li>
          ))}
        </ul>
      ) : (
        <Waiting loaded={loaded} />
      )}
      {rows?.length === 0 ? <p class="note">{texts.no_units}</p> : null}
    </details>
  );
}
