import { fileURLToPath } from 'node:url';
import test from 'ava';

/** Folder of public files, in a folder next to the project and not part of it. */
export const PUBLIC_DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/** Declares a test that is reported as skipped unless its requirement is `present`. */
export const testWhere = (present: boolean): typeof test.skip => (present ? test : test.skip);

/** The same for a test that runs after the earlier tests of its file. */
export const serialWhere = (present: boolean): typeof test.skip => (present ? test.serial : test.serial.skip);
