import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readPosition } from '#site/server/explorer-place.ts';
import { recordScroll } from './scroll.ts';
import { type Changes, hasShape, readSearch, type Search, withChanges, writeSearch } from './state.ts';

export type SearchHistory = ReturnType<typeof useSearch>;

/** The search in the URL and the history of the browser, and the changes to it. */
export function useSearch() {
  const [search, setSearch] = useState<Search>(() => readSearch(location.search));
  const [pages, setPages] = useState(() => readPosition(history.state).pages);
  // Event handlers change the latest search, not that of the last rendering.
  const current = useRef(search);
  const acts = useMemo(() => {
    const show = (to: Search, open: number): void => {
      current.current = to;
      setSearch(to);
      setPages(open);
    };
    /** Returns the latest search, which can be newer than `search`. */
    const latest = (): Search => current.current;
    const go = (to: Search): void => {
      recordScroll();
      history.pushState({ pages: 1, y: scrollY }, '', writeSearch(to));
      show(to, 1);
    };
    const replace = (changes: Partial<Search>): void => {
      current.current = { ...latest(), ...changes };
      setSearch(latest());
      history.replaceState(history.state, '', writeSearch(latest()));
    };
    const open = (count: number): void => {
      history.replaceState({ ...readPosition(history.state), pages: count }, '');
      setPages(count);
    };
    return {
      show,
      latest,
      go,
      /** Changes filters of the latest search, and other properties of it. */
      change: (changes: Changes, beside?: Partial<Search>) => go({ ...withChanges(latest(), changes), ...beside }),
      keepPosition(map: string) {
        const before = latest();
        if (!before.follows || hasShape(before.values)) return replace({ map });
        // Consecutive movements of the map are one history entry.
        if (before.map === '') return go({ ...before, map });
        replace({ map });
        open(1);
      },
      select: (id: number | null) => replace({ selected: id === null ? '' : String(id) }),
      openMore: () => open(readPosition(history.state).pages + 1),
    };
  }, []);
  useEffect(() => {
    const back = ({ state }: PopStateEvent) => acts.show(readSearch(location.search), readPosition(state).pages);
    addEventListener('popstate', back);
    return () => removeEventListener('popstate', back);
  }, []);
  return { search, pages, ...acts };
}
