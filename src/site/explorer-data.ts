import type { Language } from './language.ts';
import type { ExplorerTexts } from './text/explorer.ts';

/** Data that the page of the explorer passes to its script. */
export interface ExplorerData {
  language: Language;
  baseUrl: string;
  /** Demo key, if any. */
  key: string | null;
  operations: Readonly<Record<string, ExplorerOperation>>;
  /** Search parameters from the OpenAPI document. */
  filters: readonly ExplorerParameter[];
  texts: ExplorerTexts;
  /** Names of the filters. */
  labels: Readonly<Record<string, string>>;
  /** Texts of error codes. Codes without a text show the message of the error. */
  errors: Readonly<Record<string, string>>;
  /** URLs of files that are loaded later. */
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
