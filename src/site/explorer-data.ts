import type { Language } from './language.ts';
import type { ExplorerTexts } from './text/explorer.ts';

/** What the page of the explorer hands to its script. */
export interface ExplorerData {
  language: Language;
  baseUrl: string;
  /** The demo key, where there is one. */
  key: string | null;
  operations: Readonly<Record<string, ExplorerOperation>>;
  /** The parameters of the search, as the OpenAPI description has them. */
  filters: readonly ExplorerParameter[];
  texts: ExplorerTexts;
  /** Names of the filters. */
  labels: Readonly<Record<string, string>>;
  /** Texts of error codes; where there is none, the message of the error serves. */
  errors: Readonly<Record<string, string>>;
  /** Addresses of what is loaded later. */
  files: Readonly<Record<'map' | 'mapStyles' | 'worker' | 'land', string | null>>;
}

export interface ExplorerOperation {
  path: string;
  units: { units: number; per?: number; parameter?: string };
  parameters: readonly string[];
}

export interface ExplorerParameter {
  name: string;
  required: boolean;
  description: string;
  schema: Readonly<Record<string, unknown>>;
}
