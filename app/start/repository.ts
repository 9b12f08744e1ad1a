import { existsSync } from 'node:fs';

/** Folders of the repository that the image does not contain. */
type LeftOut = 'embedded' | 'sample' | 'index-templates/relevance';

/** Returns whether this installation has a folder that the image leaves out. */
export const hasFolder = (name: LeftOut): boolean => existsSync(new URL(`../../${name}`, import.meta.url));
