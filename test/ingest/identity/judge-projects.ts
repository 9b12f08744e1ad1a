import { readFrozen } from '#bench/dedupe/frozen.ts';
import { add, pairsOf, type Share, share } from '#bench/dedupe/judge.ts';
import { identifyDevelopers } from '#ingest/off-plan/developers.ts';
import { findCopies } from '#ingest/off-plan/match.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';

/** A copy of a project in a feed. Only `raw` is visible to the method under test. */
interface ProjectCopy {
  seed: number;
  source: string;
  raw: RawProject;
  /** Identical for all copies of one project. */
  project: number;
  family: number;
  /** How the projects in a family resemble each other. */
  familyKind: string;
  /** The company stated as developer, which may only be the seller. Null if the copy states none, or only initials. */
  company: number | null;
}

const AT = new Date('2026-05-01T06:00:00Z');

/** Ingests the copies for a seed and compares the detected projects with the ground truth. */
export function judgeProjects(seed: number) {
  const all = readFrozen<ProjectCopy>('projects').filter((copy) => copy.seed === seed);
  const taken = all.flatMap((truth) => {
    const result = normalizeProject(truth.raw, AT);
    return result.ok ? [{ truth, project: result.project, license: result.license }] : [];
  });
  const stated = taken.map(({ truth, project, license }, at) => ({
    ...project,
    id: at + 1,
    source: truth.source,
    live: true,
    license,
  }));
  const developers = identifyDevelopers(new Map(), stated);
  const owners = findCopies(stated.map((copy, at) => ({ ...copy, developer: developers.ids[at] ?? null })));
  const ownerOf = new Map(taken.map(({ truth }, at) => [truth, owners.get(at + 1) ?? at + 1]));
  const grouped = new Map<number, Set<number>>();
  for (const [at, { truth }] of taken.entries()) {
    const id = developers.ids[at] ?? null;
    if (id === null || truth.company === null) continue;
    grouped.set(id, (grouped.get(id) ?? new Set()).add(truth.company));
  }
  // Number of companies, of developers into which they were grouped, and of developers that combine several.
  const companies = {
    stated: new Set(taken.flatMap(({ truth }) => truth.company ?? [])).size,
    found: grouped.size,
    mixed: [...grouped.values()].filter(({ size }) => size > 1).length,
  };
  // Pairs of copies of one project; merged pairs, of which `joined` are correct; similar pairs of different projects.
  const [same, found, negatives] = [share(), share(), new Map<string, Share>()];
  for (const [a, b] of pairsOf(all)) {
    const owner = ownerOf.get(a);
    const joined = owner !== undefined && owner === ownerOf.get(b);
    const isSame = a.project === b.project;
    if (joined) add(found, isSame);
    if (isSame) add(same, joined);
    else if (joined || a.family === b.family) {
      const kind = a.family === b.family ? a.familyKind : 'strangers';
      negatives.set(kind, negatives.get(kind) ?? share());
      add(negatives.get(kind) as Share, joined);
    }
  }
  return { same, found, negatives, companies };
}
