import { Fragment } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Listing, Location } from '#domain/listings/listing.ts';
import type { ProjectDisplay as Project } from '#domain/off-plan/project.ts';
import { sourceName } from '#site/server/format.ts';
import { useData } from './api-requests.ts';
import { type Context, useExplorer } from './context.ts';
import { Waiting } from './elements.tsx';
import { addressOf, format, known, nameOf, pathOf, texts } from './page-data.ts';

/** Time for which a listing is new. */
const NEW_MS = 3 * 24 * 3_600_000;

/** Facts of a card. A line ends after a fact, not within it or before a dot. */
const Facts = ({ facts }: { facts: readonly string[] }) => (
  <span>
    {facts.map((fact, at) => (
      <Fragment key={fact}>
        {at === 0 ? '' : ' '}
        <span class="fact">{at === facts.length - 1 ? fact : `${fact} ·`}</span>
      </Fragment>
    ))}
  </span>
);

/** Distance in pixels from the screen at which photos load. Browsers load all of a list, which delays the map. */
const NEAR_PX = 200;

function Photo({ images: [first] }: { images: readonly string[] }) {
  const image = useRef<HTMLImageElement>(null);
  const [near, setNear] = useState('');
  useEffect(() => {
    if (!image.current || !first) return;
    const load = ([entry]: readonly IntersectionObserverEntry[]): void => {
      if (entry?.isIntersecting) setNear(first);
    };
    const observer = new IntersectionObserver(load, { rootMargin: `${NEAR_PX}px` });
    observer.observe(image.current);
    return () => observer.disconnect();
  }, [first]);
  if (!first) return <span class="no-photo">{texts.no_photo}</span>;
  return <img ref={image} src={near === first ? first : undefined} alt="" width="132" height="99" />;
}

const placeOf = ({
  neighborhood_name_en,
  neighborhood_name_ar,
}: Pick<Location, 'neighborhood_name_en' | 'neighborhood_name_ar'>) =>
  nameOf({ name_en: neighborhood_name_en, name_ar: neighborhood_name_ar }) || null;

const factsOf = ({ property_type, bedrooms, area_sqm }: Listing, labelOf: Context['labelOf']): string[] =>
  known([
    labelOf('property_types', property_type),
    bedrooms === null ? null : format.count(texts.beds, bedrooms),
    area_sqm === null ? null : format.area(area_sqm),
  ]);

const priceOf = ({ price: { yearly_sar } }: Listing): string =>
  yearly_sar === null ? texts.no_price : format.sar(yearly_sar);

const pageOf = ({ url }: Listing): string => pathOf(new URL(url).pathname);

export function Card({ listing }: { listing: Listing }) {
  const { labelOf } = useExplorer();
  const { yearly_sar: now, previous_yearly_sar: before } = listing.price;
  const cut = now === null || before === null ? null : (100 * (now - before)) / before;
  return (
    <a class="card" href={pageOf(listing)}>
      <Photo images={listing.images} />
      <span class="about">
        <strong>
          {priceOf(listing)}
          {now !== null && listing.listing_type === 'rent' ? ` ${texts.a_year}` : ''}
          {cut !== null && cut < 0 ? (
            <span class="badge">
              {texts.price_cut} {format.percent(Math.round(cut))}
            </span>
          ) : null}
          {Date.now() - Date.parse(listing.first_seen_at) < NEW_MS ? <span class="badge">{texts.is_new}</span> : null}
        </strong>
        <Facts facts={known([...factsOf(listing, labelOf), placeOf(listing.location)])} />
        <small>{sourceName(listing.source.name)}</small>
      </span>
    </a>
  );
}

export function ProjectCard({ project }: { project: Project }) {
  const { labelOf } = useExplorer();
  const { price, developer, delivery_date, status, location } = project;
  const facts = known([
    price.min_sar === null ? null : `${texts.from_price} ${format.sar(price.min_sar)}`,
    labelOf('project_statuses', status),
    placeOf(location),
  ]);
  return (
    <div class="card project">
      <Photo images={project.images} />
      <div class="about">
        <strong>{nameOf(project)}</strong>
        <Facts facts={facts} />
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
  const { labelOf } = useExplorer();
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
              <a href={pageOf(listing)}>{[priceOf(listing), ...factsOf(listing, labelOf)].join(' · ')}</a>
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
