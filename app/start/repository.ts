import { existsSync } from 'node:fs';

/** Folders of the repository that the image does not contain. */
type ExcludedFolder = 'embedded' | 'sample' | 'index-templates/relevance';

/** Returns whether this installation has a folder that the image leaves out. */
export const hasFolder = (name: ExcludedFolder): boolean => existsSync(new URL(`../../${name}`, import.meta.url));
