import { identifyDevelopers } from '#ingest/off-plan/developers.ts';
import { findCopies } from '#ingest/off-plan/match.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import type { RawProject } from '#ingest/off-plan/sources/raw.ts';
import { readFrozen } from './frozen.ts';
import { add, type Share, share } from './judge.ts';

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

interface ProjectJudgment {
  /** Pairs of copies of one project. */
  same: Share;
  /** Number of merged pairs, and number of correct ones among them. */
  found: { pairs: number; right: number };
  /** Similar pairs from different projects, and how many of them were merged. */
  negatives: Map<string, Share>;
  /** Number of companies, of developers into which they were grouped, and of developers that combine several. */
  companies: { stated: number; found: number; mixed: number };
}

const AT = new Date('2026-05-01T06:00:00Z');

/** Ingests the copies for a seed and compares the detected projects with the ground truth. */
export function judgeProjects(seed: number): ProjectJudgment {
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
  const found = new Map<number, Set<number>>();
  for (const [at, { truth }] of taken.entries()) {
    const id = developers.ids[at] ?? null;
    if (id === null || truth.company === null) continue;
    found.set(id, (found.get(id) ?? new Set()).add(truth.company));
  }
  const companies = {
    stated: new Set(taken.flatMap(({ truth }) => truth.company ?? [])).size,
    found: found.size,
    mixed: [...found.values()].filter(({ size }) => size > 1).length,
  };
  return { ...judge(all, ownerOf), companies };
}

function judge(
  copies: readonly ProjectCopy[],
  ownerOf: ReadonlyMap<ProjectCopy, number>,
): Omit<ProjectJudgment, 'companies'> {
  const judgment: Omit<ProjectJudgment, 'companies'> = {
    same: share(),
    found: { pairs: 0, right: 0 },
    negatives: new Map(),
  };
  for (const [at, a] of copies.entries())
    for (let to = at + 1; to < copies.length; to++) {
      const b = copies[to] as ProjectCopy;
      const owner = ownerOf.get(a);
      const joined = owner !== undefined && owner === ownerOf.get(b);
      const same = a.project === b.project;
      if (joined) judgment.found.pairs += 1;
      if (joined && same) judgment.found.right += 1;
      if (same) {
        add(judgment.same, joined);
      } else if (a.family === b.family) count(judgment.negatives, a.familyKind, joined);
      else if (joined) count(judgment.negatives, 'strangers', joined);
    }
  return judgment;
}

function count(shares: Map<string, Share>, kind: string, joined: boolean): void {
  const known = shares.get(kind) ?? share();
  add(known, joined);
  shares.set(kind, known);
}
