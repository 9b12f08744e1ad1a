import { type ReadSettings, settingsOf } from '../../normalize/listing.ts';
import { defineFileSource, type SourceDefinition } from '../source.ts';
import { fetchFeed, openFeedConnection, type RequestLimits } from './http.ts';
import type { Encoding } from './lines.ts';
import { type XmlLayout, xmlFile, xmlRows } from './xml-file.ts';

interface XmlFeedOptions extends ReadSettings {
  name: string;
  /** Overrides the encoding that the feed declares. */
  encoding?: Encoding;
}

export type XmlFeed = XmlFeedOptions &
  (
    | {
        /** Under the data folder. */
        file: string;
        /** Defaults to 3; null for a file that is never replaced. */
        maxAgeDays?: number | null;
        url?: never;
      }
    | {
        /** Address of the feed. Its host may have a private address, because the installation configures it. */
        url: string;
        /** Sent only to the origin of `url`, because they may contain credentials. */
        headers?: Readonly<Record<string, string>>;
        file?: never;
      }
  );

const LIMITS: RequestLimits = {
  timeoutMs: 15 * 60_000,
  retries: 4,
  backoffMs: 500,
  maxWaitMs: 30_000,
  maxBytes: 2 * 1024 ** 3,
};

/** A file is offered if it exists, a URL always. */
export function defineXmlSource(feed: XmlFeed, layout: XmlLayout): SourceDefinition {
  const { name, encoding } = feed;
  const read = xmlFile({ ...layout, encoding });
  if (feed.url === undefined) return defineFileSource({ ...feed, read });
  const { url, headers = {} } = feed;
  return {
    name,
    ...settingsOf(feed),
    isOffered: () => true,
    readFile: read,
    layout: read.layout,
    async *rows({ userAgent }, { signal, isUnmapped }) {
      const address = new URL(url);
      const accept = 'application/xml, text/xml';
      using fetching = openFeedConnection(address, { headers, userAgent, accept, limits: LIMITS, signal });
      const { body } = await fetchFeed(fetching, address, (response) => response);
      return yield* xmlRows({ ...layout, isUnmapped, name: url, bytes: body, encoding });
    },
  };
}
