import type { Language } from './language.ts';
import type { ExplorerTexts } from './text/index.ts';

/** Response bodies of the demo by path of the API. */
export interface DemoSnapshot {
  bodies: Readonly<Record<string, unknown>>;
  /** Bodies that depend on the listing type. */
  searches?: Readonly<Record<string, DemoSnapshot['bodies'] | undefined>>;
}

/** Data that the explorer page passes to its script. */
export interface ExplorerData {
  language: Language;
  baseUrl: string;
  /** The demo key, or null if there is none. */
  key: string | null;
  operations: Readonly<Record<string, ExplorerOperation>>;
  /** Search parameters, read from the OpenAPI document. */
  filters: readonly ExplorerParameter[];
  /** Filters whose values have counts, and `price`, which is counted by range. */
  counted: readonly string[];
  /** Filters that the demo follows. */
  demoFilters: readonly string[];
  texts: ExplorerTexts;
  /** Centers of the cities. */
  cities: readonly { slug: string; lat: number; lng: number }[];
  /** Filter labels. */
  labels: Readonly<Record<string, string>>;
  /** Texts by error code. For a code without a text, the error's message is shown. */
  errors: Readonly<Record<string, string>>;
  /** URLs of files that the script loads on demand. */
  files: Readonly<Record<'map' | 'mapStyles' | 'worker' | 'land', string | null>>;
}

interface ExplorerOperation {
  path: string;
  units: { units: number; per?: number; parameter?: string };
  parameters: readonly string[];
  /** The scope that a key needs, and the lowest plan that includes it. Null if every key has access. */
  scope: string | null;
  plan: string | null;
}

export interface ExplorerParameter {
  name: string;
  required: boolean;
  description: string;
  /** Whether the form has a field for the parameter. Paging, order and filters set on the map have none. */
  hasField: boolean;
  schema: Readonly<Record<string, unknown>>;
}
