import { byLanguage } from '../language.ts';
import changes from './changes.json' with { type: 'json' };
import documents from './documents.json' with { type: 'json' };
import statuses from './statuses.json' with { type: 'json' };

/** Texts of the pages that responses of the API link to. */
export const DOCUMENT_TEXTS = byLanguage(documents);

/** Texts of the changelog. */
export const CHANGE_TEXTS = byLanguage(changes);

/** Titles and advice on the page of errors, by HTTP status. */
export const STATUS_TEXTS = byLanguage(statuses);
