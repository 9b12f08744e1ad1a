/**
 * Versions of the code whose results are stored. After a change of a version, the next run computes the results again:
 * it normalizes every ad or project. The next import of official data reads every file again.
 *
 * `test/ingest/versions.test.ts` fails if the code of a version changes. Raise the version if stored results could
 * differ, and update the digest in the test.
 */
export const VERSIONS = { ads: 3, projects: 3, official: 3 };
