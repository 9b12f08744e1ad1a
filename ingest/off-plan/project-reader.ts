import { messageOf } from '#domain/message-of.ts';
import type { ReadSettings } from '../normalize/listing.ts';
import type { OpenReader } from '../threads/task.ts';
import { type NormalizeProjectResult, normalizeProject } from './normalize-project.ts';
import type { RawProject } from './sources/raw.ts';

export interface ProjectContext {
  at: Date;
  settings: ReadSettings;
}

export default (({ at, settings }, boundaries) =>
  (raw) => {
    try {
      return normalizeProject(raw, at, boundaries, settings);
    } catch (error) {
      return { ok: false, reason: 'malformed_row', detail: messageOf(error) };
    }
  }) satisfies OpenReader<ProjectContext, RawProject, NormalizeProjectResult>;
