import { useEffect, useRef, useState } from 'preact/hooks';
import type { ParsedSentence } from '#domain/sentence/parse.ts';
import { offerOfPrice } from '#site/server/amounts.ts';
import { joined } from '#site/server/format.ts';
import type { Suggestion } from '#src/site-data/responses.ts';
import { useData } from './api-requests.ts';
import { useExplorer } from './context.ts';
import { Failed } from './failed.tsx';
import { addressOf, format, nameOf, texts } from './page-data.ts';
import { type Changes, hasShape, OF_CITY, type Search, valuesOf, withChanges } from './state.ts';

const DEBOUNCE_MS = 120;
/** Radius in meters around a suggested project. */
const AROUND_PROJECT_M = '1000';
/** Filters by place, which a suggestion replaces. */
const REPLACED = OF_CITY.filter((name) => name !== 'neighborhood_id_exclude');
const NO_PLACE: Changes = Object.fromEntries(REPLACED.map((name) => [name, '']));
/** Suggested even without listings, because projects are searched as well. */
const OF_PROJECTS: ReadonlySet<Suggestion['kind']> = new Set(['project', 'developer']);
const LIST = 'suggestions';

/** Suggests places while the visitor types. Enter searches the text as a sentence. */
export function SearchBox() {
  const { search, latest, go } = useExplorer();
  const [typed, setTyped] = useState(search.sentence);
  // The sentence that is being read.
  const [sentence, setSentence] = useState('');
  const [chosen, setChosen] = useState(-1);
  useEffect(() => {
    setTyped(search.sentence);
    setSentence('');
  }, [search.sentence]);

  const text = typed.trim();
  const [isOpen, setOpen] = useState(false);
  const { found, places, clear } = useSuggestions(isOpen ? text : '');
  useEffect(() => setChosen(-1), [places]);

  const error = useSentence(sentence, (parsed) => {
    setSentence('');
    go(asSentence(latest(), sentence, parsed));
  });

  const close = (): void => {
    setOpen(false);
    clear();
    setChosen(-1);
  };
  const choose = (suggestion: Suggestion): void => {
    close();
    setTyped('');
    go(withSuggestion(latest(), suggestion));
  };
  const read = (): void => {
    close();
    setSentence(text);
    if (text === '') go({ ...latest(), sentence: '' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, isComposing } = event;
    if (isComposing) return;
    if (key === 'Escape' && isOpen && found.length > 0) {
      event.preventDefault();
      close();
    } else if ((key === 'ArrowDown' || key === 'ArrowUp') && found.length > 0) {
      event.preventDefault();
      setChosen(nextChoice(chosen, found.length, key === 'ArrowDown' ? 1 : -1));
    }
  };
  const isListed = isOpen && found.length > 0;
  const active = isListed ? found[chosen] : undefined;
  return (
    <search class="search-box" tabIndex={-1}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (active) choose(active);
          else read();
        }}
      >
        <SearchInput
          typed={typed}
          active={active ? `${LIST}-${chosen}` : undefined}
          isListed={isListed}
          onType={(text) => {
            setSentence('');
            setTyped(text);
            setOpen(true);
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <button type="submit" class="main">
          {texts.search}
        </button>
        <SuggestionList found={found} isListed={isListed} chosen={chosen} onChoose={choose} />
      </form>
      {error === null ? null : <Failed error={error} />}
    </search>
  );
}

/** Returns the index of the next suggestion; -1 for the text itself, which is one more position. */
function nextChoice(chosen: number, count: number, step: 1 | -1): number {
  const positions = count + 1;
  return ((chosen + 1 + step + positions) % positions) - 1;
}

/** Reads a sentence; nothing if it is empty. @returns the error of the API */
function useSentence(sentence: string, onRead: (parsed: ParsedSentence) => void) {
  const { data: parsed, error } = useData<ParsedSentence>(sentence === '' ? null : sentenceAddress(sentence));
  useEffect(() => {
    if (parsed) onRead(parsed);
  }, [parsed]);
  return error;
}

interface SearchInputProps {
  typed: string;
  /** Id of the chosen suggestion. */
  active: string | undefined;
  isListed: boolean;
  onType(text: string): void;
  onKeyDown(event: KeyboardEvent): void;
  onBlur(): void;
}

const SearchInput = ({ typed, active, isListed, onType, onKeyDown, onBlur }: SearchInputProps) => (
  <input
    role="combobox"
    aria-label={texts.search_label}
    aria-autocomplete="list"
    aria-expanded={isListed}
    aria-controls={LIST}
    aria-activedescendant={active}
    autocomplete="off"
    spellcheck={false}
    enterkeyhint="search"
    maxLength={500}
    dir={typed === '' ? undefined : 'auto'}
    placeholder={texts.search_hint}
    value={typed}
    onInput={(event) => onType(event.currentTarget.value)}
    onKeyDown={onKeyDown}
    onBlur={onBlur}
  />
);

/** Suggests places for a text; without listings only projects and developers. */
function useSuggestions(text: string) {
  const { search } = useExplorer();
  // The text whose places are suggested.
  const [settled, setSettled] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const { data: places } = useData<Suggestion[]>(settled === '' ? null : addressOf('suggest', { q: settled }));
  // Suggestions for the previous text are shown until those for the next one arrive.
  const suggested = useRef<readonly Suggestion[]>([]);
  if (text === '' || settled === '') suggested.current = [];
  else if (places) suggested.current = places;
  // Cities and places of the current city are first.
  const isNear = ({ kind, city }: Suggestion) => kind === 'city' || city === search.values.get('city');
  const found = suggested.current
    .filter(({ kind, listing_count }) => listing_count > 0 || OF_PROJECTS.has(kind))
    .toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)));
  return { found, places, clear: () => setSettled('') };
}

/** Sets the place of a suggestion, or the developer of its projects. */
function withSuggestion(before: Search, { kind, id, city, center, ...named }: Suggestion): Search {
  const place = { ...NO_PLACE, ...(city === null ? {} : { city }) };
  const near = center && { near: `${center.lat},${center.lng}`, radius_m: AROUND_PROJECT_M };
  const changes: Readonly<Record<Suggestion['kind'], Changes>> = {
    city: place,
    neighborhood: { ...place, neighborhood_id: String(id) },
    compound: { ...place, compound: named.name_en ?? named.name_ar ?? '' },
    project: { ...place, ...near },
    developer: { ...place, developer_id: String(id) },
  };
  const isProject = kind === 'developer' || (kind === 'project' && !near);
  return {
    ...withChanges({ ...before, sentence: '' }, changes[kind]),
    view: isProject ? 'projects' : before.view === 'projects' ? 'listings' : before.view,
  };
}

interface SuggestionListProps {
  found: readonly Suggestion[];
  isListed: boolean;
  chosen: number;
  onChoose(suggestion: Suggestion): void;
}

function SuggestionList({ found, isListed, chosen, onChoose }: SuggestionListProps) {
  const { cityNameOf } = useExplorer();
  return (
    <div id={LIST} role="listbox" aria-label={texts.suggestions} hidden={!isListed}>
      {found.map((each, at) => (
        // The combobox handles the keyboard.
        // biome-ignore lint/a11y/useKeyWithClickEvents: see above
        // biome-ignore lint/a11y/useFocusableInteractive: see above
        <div
          key={`${each.kind}-${each.id ?? nameOf(each)}-${each.city}`}
          id={`${LIST}-${at}`}
          role="option"
          aria-selected={at === chosen}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(each)}
        >
          <bdi>{nameOf(each)}</bdi>
          <small>
            {joined(' · ', [
              texts.kinds[each.kind],
              each.kind === 'city' || each.city === null ? null : cityNameOf(each.city),
              format.count(texts.listings, each.listing_count),
            ])}
          </small>
        </div>
      ))}
    </div>
  );
}

const sentenceAddress = (q: string): string => addressOf('parseListings', { q });

export const useParsed = (sentence: string): ParsedSentence | null =>
  useData<ParsedSentence>(sentence === '' ? null : sentenceAddress(sentence)).data;

/** Replaces all filters, except the city and the offer if the sentence states none. */
function asSentence(before: Search, sentence: string, { filters, sort }: ParsedSentence): Search {
  if (Object.keys(filters).length === 0 && sort === null) return { ...before, sentence };
  const kept = valuesOf(before.values, ['city', 'listing_type']);
  const offer = offerOfPrice(filters);
  if (offer !== null) kept.set('listing_type', offer);
  const view = before.view === 'projects' || before.view === 'deals' ? 'listings' : before.view;
  const stated = withChanges({ ...before, view, values: kept, sentence }, filters);
  const isElsewhere = hasShape(before.values) || before.values.has('neighborhood_id');
  if (sort !== null) stated.values.set('sort', sort);
  return isElsewhere ? { ...stated, map: '' } : stated;
}

/** What of the sentence has no filter, and what it may mean instead. Its filters are chips. */
export function Understood() {
  const { search, change: set, cityNameOf } = useExplorer();
  const { values } = search;
  const parsed = useParsed(search.sentence);
  if (!parsed) return null;
  const others = parsed.alternatives.filter(({ neighborhood_id: id }) => values.get('neighborhood_id') !== String(id));
  const byReason = Map.groupBy(parsed.not_understood, ({ reason }) =>
    reason === 'no_filter' ? reason : 'not_understood',
  );
  // An ambiguous place is searched for by the filter of an alternative.
  const inAds = parsed.not_understood.flatMap(({ reason, words }) => (reason === 'ambiguous' ? [] : words)).join(' ');
  return (
    <div class="understood" role="status">
      {byReason.size === 0 ? null : (
        <p class="not-understood">
          {[...byReason].map(([reason, each]) => (
            <span key={reason}>
              {texts[reason]}{' '}
              {each.map(({ words, start }) => (
                <span key={start}>
                  <mark dir="auto">{words}</mark>{' '}
                </span>
              ))}
            </span>
          ))}
          {inAds === '' || values.get('q') === inAds ? null : (
            <button type="button" class="plain" onClick={() => set({ q: inAds })}>
              {texts.in_ads}
            </button>
          )}
        </p>
      )}
      {others.length === 0 ? null : (
        <p class="alternatives">
          {texts.did_you_mean}{' '}
          {others.map((each) => {
            const place = { city: each.city, neighborhood_id: String(each.neighborhood_id) };
            return (
              <button type="button" key={each.neighborhood_id} onClick={() => set(place)}>
                {format.list([nameOf(each), cityNameOf(each.city)])}
              </button>
            );
          })}
        </p>
      )}
    </div>
  );
}
