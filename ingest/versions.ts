/**
 * Versions of the code whose results are stored. After a change of a version, the next run computes the results again:
 * it normalizes every ad or project. The next import of official data reads every file again.
 *
 * `test/ingest/versions.test.ts` names the fields whose values of the same rows have changed. Raise the version then,
 * and for changes of values that those rows do not contain.
 */
export const VERSIONS = { ads: 8, projects: 8, official: 3 };
