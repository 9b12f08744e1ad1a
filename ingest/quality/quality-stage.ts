import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { copyIn, copyNumber, copyToTemporary } from '../postgres/copy-in.ts';
import { copyOut, flag, number, numberOrNull, text } from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { Market } from './ad-market.ts';
import type { Fence, PlausibilityFacts } from './fences.ts';

/** Determines which prices are plausible, unless the run changed no ad. */
export function qualityStage(context: RunContext): Promise<void> {
  return runStage(context, 'quality', async () => {
    const dropped: Record<string, number> = {};
    const details = { flags_changed: 0, fences: 0, prices_per_sqm: 0 };
    const isChanged = await sql.hasRows(context.pool, 'from listings where content_run = $1', [context.run.id]);
    if (!isChanged) return () => ({ kept: 0, dropped, details });
    const market = await loadMarket(context);
    const corrected = market.correctPricesPerSqm();
    details.prices_per_sqm = corrected.length;
    const fences = market.fences();
    const lines: string[] = [];
    const drop = (reason: string): void => {
      dropped[reason] = (dropped[reason] ?? 0) + 1;
    };
    for (const [{ id, flags: before, isImplausibleByText }, verdicts] of market.verdicts(fences)) {
      if (isImplausibleByText) drop('implausible_by_text');
      if (!(verdicts & 1)) drop('implausible_for_type');
      if (!(verdicts & 2)) drop('implausible_pooled');
      const flags = isImplausibleByText ? 0 : verdicts;
      if (flags !== before) lines.push(`${id}\t${flags & 1 ? 't' : 'f'}\t${flags & 2 ? 't' : 'f'}`);
    }
    details.flags_changed = lines.length;
    details.fences = fences.size;
    context.onProgress({ stage: 'quality', source: null, done: market.size, total: market.size });
    return async (client) => {
      await savePrices(client, context.run.id, corrected);
      await saveFlags(client, context.run.id, lines);
      await saveFences(client, context.run.id, fences.values());
      return { kept: market.size, dropped, details };
    };
  });
}

/** Columns in the order of `COLUMNS.profile`. */
const PROFILE = ['city', 'listing_type', 'property_type', 'listing_category', 'neighborhood_id', 'bedrooms'] as const;
type ProfileTexts = Record<(typeof PROFILE)[number], string>;

const COLUMNS = {
  id: number('id'),
  /** One text, parsed once per distinct profile, which most ads share. */
  profile: text(PROFILE.map((column) => `coalesce(${column}::text, '')`).join(` || '/' || `)),
  /** A price that the ad's text makes implausible is no part of the market. */
  price: numberOrNull('case when not text_implausible then price end'),
  area: numberOrNull('area_sqm'),
  flags: number('plausible_typed::int + plausible_pooled::int * 2'),
  isImplausibleByText: flag('text_implausible'),
};

interface FlaggedAd {
  id: number;
  price: number | null;
  area: number | null;
  /** As `flagsOf`. */
  flags: number;
  isImplausibleByText: boolean;
}

async function loadMarket(context: RunContext): Promise<Market<FlaggedAd>> {
  const market = new Market<FlaggedAd>();
  for await (const rows of copyOut(context, COLUMNS, 'from listings where served'))
    for (const { id, profile, price, area, flags, isImplausibleByText } of rows)
      market.add(profile, () => readProfile(profile), { id, price, area, flags, isImplausibleByText });
  return market;
}

function readProfile(profile: string): PlausibilityFacts {
  const values = profile.split('/');
  const texts = Object.fromEntries(PROFILE.map((column, index) => [column, values[index]])) as ProfileTexts;
  return {
    ...texts,
    neighborhood_id: texts.neighborhood_id === '' ? null : Number(texts.neighborhood_id),
    bedrooms: texts.bedrooms === '' ? null : Number(texts.bedrooms),
    area_sqm: null,
    price: null,
  };
}

async function savePrices(
  client: Transaction,
  run: number,
  corrected: readonly { id: number; price: number }[],
): Promise<void> {
  const lines = corrected.map(({ id, price }) => `${id}\t${price}`);
  await copyToTemporary(client, 'corrected_prices (id bigint, price double precision)', lines);
  await client.query(
    `update listings l set price = c.price, per_sqm = true, ${touchVersion('$1')}, content_run = $1
       from corrected_prices c where c.id = l.id`,
    [run],
  );
}

async function saveFlags(client: Transaction, run: number, lines: readonly string[]): Promise<void> {
  await copyToTemporary(client, 'judged (id bigint, typed boolean, pooled boolean)', lines);
  await client.query(
    `update listings l set plausible_typed = j.typed, plausible_pooled = j.pooled, ${touchVersion('$1')}
       from judged j where j.id = l.id`,
    [run],
  );
}

async function saveFences(client: Transaction, run: number, fences: Iterable<Fence>): Promise<void> {
  const lines = Array.from(fences, ({ kind, tier, fence, sample, median, mad, low, high }) =>
    [kind, tier, fence, run, sample, median, copyNumber(mad), low, copyNumber(high)].join('\t'),
  );
  await client.query('delete from quality_fences');
  await copyIn(
    client,
    'quality_fences (kind, tier, fence, run_id, sample_size, median_price, mad_log_price, low, high)',
    lines,
  );
}
