import { byLanguage } from '../language.ts';
import changes from './changes.json' with { type: 'json' };
import documents from './documents.json' with { type: 'json' };
import statuses from './statuses.json' with { type: 'json' };

export const DOCUMENT_TEXTS = byLanguage(documents);

export const CHANGE_TEXTS = byLanguage(changes);

/** Titles and advice by HTTP status. */
export const STATUS_TEXTS = byLanguage(statuses);
