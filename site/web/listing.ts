import { estimatePart } from '#site/server/estimate.ts';
import { formatter } from '#site/server/format.ts';
import type { ListingPageData } from '#site/server/listing-words.ts';
import type { ListingEstimate } from '#src/site-data/responses.ts';
import { pageData } from './element.ts';
import { showGallery } from './gallery.ts';
import { leadBack } from './results.ts';

const { texts, language, estimateUrl } = pageData<ListingPageData>();

const gallery = document.querySelector<HTMLElement>('.gallery');
if (gallery) showGallery(gallery, texts);

async function showEstimate(place: HTMLElement): Promise<void> {
  place.textContent = texts.estimate_waiting;
  try {
    const response = await fetch(estimateUrl, { credentials: 'same-origin', signal: AbortSignal.timeout(15_000) });
    if (response.ok) {
      const { data } = (await response.json()) as { data: ListingEstimate };
      // The markup is made by `html`, which escapes every value.
      place.innerHTML = estimatePart(data, { texts, language, format: formatter(language) }, data).markup;
    } else {
      place.textContent = response.status === 429 ? texts.estimate_busy : texts.estimate_failed;
    }
  } catch {
    place.textContent = texts.estimate_failed;
  } finally {
    place.ariaBusy = 'false';
  }
}

const place = document.querySelector<HTMLElement>('#estimated');
if (place) {
  const observer = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      void showEstimate(place);
    },
    { rootMargin: '50%' },
  );
  observer.observe(place);
}

const back = document.querySelector<HTMLAnchorElement>('.back a');
if (back) leadBack(back, texts.back_to_results);
