/**
 * Versions of the code whose results are stored. After a change of a version, the next run computes the results again:
 * it normalizes every ad or project. The next import of official data reads every file again.
 *
 * `test/ingest/versions.test.ts` names the fields whose values of the same feeds and files have changed. Raise the
 * version then, and for changes that those feeds do not contain.
 */
export const VERSIONS = { ads: 5, projects: 5, official: 3 };
