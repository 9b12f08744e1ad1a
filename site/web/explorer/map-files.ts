import { known } from '#site/server/format.ts';
import { elementOf, nextTask } from '../element.ts';
import { data } from './page-data.ts';

let isFetching = false;

/** Loads the files of the map in parallel, once there are results. Otherwise each would be requested by the one before it. */
export function fetchMap(): void {
  if (isFetching) return;
  isFetching = true;
  const { map, mapParts, mapStyles, worker, land } = data.files;
  for (const href of known([map, ...mapParts])) document.head.append(elementOf('link', { rel: 'modulepreload', href }));
  if (mapStyles) document.head.append(elementOf('link', { rel: 'stylesheet', href: mapStyles }));
  for (const each of known([worker, land]))
    void fetch(each).then(
      (file) => file.blob(),
      () => null,
    );
}

/** Runs each part of the map in a task of its own: together they would block a phone for a quarter of a second. */
export async function importMap(): Promise<typeof import('./map.ts')> {
  const { map, mapParts } = data.files;
  for (const part of mapParts.toReversed()) {
    await import(/* @vite-ignore */ part);
    await nextTask();
  }
  return import(/* @vite-ignore */ map as string);
}
