import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testWhere } from '#test/present.ts';

const FOLDER = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/**
 * Returns the path of public data. It is in a folder next to the project folder and not part of the repository, so only
 * end-to-end tests use it.
 */
export const publicData = (...path: readonly string[]): string => join(FOLDER, ...path);

const hasPublicData = (...path: readonly string[]): boolean => existsSync(publicData(...path));

/** Declares a test that is skipped if public data is absent. It runs after earlier tests in its file. */
export const testWith = (...path: readonly string[]) => testWhere(hasPublicData(...path));
