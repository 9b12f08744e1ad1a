import { identifyDevelopers } from '#ingest/off-plan/developers.ts';
import { findCopies } from '#ingest/off-plan/match.ts';
import { normalizeProject } from '#ingest/off-plan/normalize.ts';
import type { Share } from './judge.ts';
import { type FamilyKind, type ProjectCopy, type ProjectNoise, secondProjects } from './second-projects.ts';

export interface ProjectJudgment {
  copies: number;
  rejected: number;
  /** Pairs of copies of one project. */
  same: Share;
  /** Pairs that were taken for one project. */
  found: { pairs: number; right: number };
  /** Pairs of copies of one project by what is between them; a pair counts under each of its kinds. */
  noise: Map<ProjectNoise | 'one language each' | 'none', Share>;
  /** Pairs of one project by what family the project is of. */
  families: Map<FamilyKind, Share>;
  /** Pairs of different projects that invite to be taken for one, and strangers that were. */
  negatives: Map<FamilyKind | 'strangers', Share>;
  /** Companies, how many developers they were taken for, and how many of these are several companies. */
  companies: { stated: number; found: number; mixed: number };
  /** Pairs that were judged wrongly, for a person to read. */
  wrong: { a: ProjectCopy; b: ProjectCopy; joined: boolean }[];
}

const AT = new Date('2026-05-01T06:00:00Z');

/** The copies as a run takes them in, and what it finds to be one project, against the truth. */
export function judgeProjects(options: { projects: number; seed: number }): ProjectJudgment {
  const all = secondProjects(options);
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
  return { ...judge(all, ownerOf, all.length - taken.length), companies };
}

function judge(
  copies: readonly ProjectCopy[],
  ownerOf: ReadonlyMap<ProjectCopy, number>,
  rejected: number,
): Omit<ProjectJudgment, 'companies'> {
  const judgment: Omit<ProjectJudgment, 'companies'> = {
    copies: copies.length,
    rejected,
    same: { pairs: 0, joined: 0 },
    found: { pairs: 0, right: 0 },
    noise: new Map(),
    families: new Map(),
    negatives: new Map(),
    wrong: [],
  };
  for (const [at, a] of copies.entries())
    for (let to = at + 1; to < copies.length; to++) {
      const b = copies[to] as ProjectCopy;
      const owner = ownerOf.get(a);
      const joined = owner !== undefined && owner === ownerOf.get(b);
      const same = a.project === b.project;
      if (joined) judgment.found.pairs += 1;
      if (joined && same) judgment.found.right += 1;
      if (joined !== same) judgment.wrong.push({ a, b, joined });
      if (same) {
        add(judgment.same, joined);
        count(judgment.families, a.familyKind, joined);
        for (const kind of kindsBetween(a, b)) count(judgment.noise, kind, joined);
      } else if (a.family === b.family) count(judgment.negatives, a.familyKind, joined);
      else if (joined) count(judgment.negatives, 'strangers', joined);
    }
  return judgment;
}

function kindsBetween(a: ProjectCopy, b: ProjectCopy): (ProjectNoise | 'one language each' | 'none')[] {
  const kinds = new Set<ProjectNoise | 'one language each'>([...a.noise, ...b.noise]);
  if (!a.languages.some((language) => b.languages.includes(language))) kinds.add('one language each');
  return kinds.size === 0 ? ['none'] : [...kinds];
}

function add(to: Share, joined: boolean): void {
  to.pairs += 1;
  if (joined) to.joined += 1;
}

function count<Kind>(shares: Map<Kind, Share>, kind: Kind, joined: boolean): void {
  const share = shares.get(kind) ?? { pairs: 0, joined: 0 };
  add(share, joined);
  shares.set(kind, share);
}
