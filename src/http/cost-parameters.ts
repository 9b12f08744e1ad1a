import { component, integer, type JsonSchema, nullable, object, single } from '#domain/json-schema.ts';
import { UNIT_LIMITS } from '#src/metering/charge-statement.ts';

const MAX_UNITS = 1_000_000_000;

/** Parameters of every operation that costs units. */
export const COST_PARAMETERS = [
  {
    name: 'max_units',
    schema: { type: 'integer', minimum: 0, maximum: MAX_UNITS },
    description: 'The most units that the call may cost. A call that can cost more is refused with `invalid_value`.',
    example: '15',
  },
  {
    name: 'dry_run',
    schema: { type: 'boolean' },
    description:
      'Whether to return the cost of the call instead of its result: `max_units` is the most that it can cost, beside the units that are left. Nothing is read or created.',
    example: 'true',
  },
] as const;

/** The same for the body of a POST. */
export const COST_PROPERTIES = Object.fromEntries(
  COST_PARAMETERS.map(({ name, schema, description }) => [name, { ...schema, description }]),
) as { [Each in (typeof COST_PARAMETERS)[number] as Each['name']]: Each['schema'] & { description: string } };

export interface CostLimits {
  readonly max_units?: number;
  readonly dry_run?: boolean;
}

/** The most that a call can cost. */
export interface Quote {
  maxUnits: number;
  /** Counted rows of an export. */
  rows?: number;
  /** Units of the count, which a dry run costs. */
  units?: number;
}

export const LIMITED_BY = { type: ['string', 'null'], enum: component('LimitedBy', [...UNIT_LIMITS, null]) } as const;

/** Response of a dry run, instead of that of the operation. */
export const DRY_RUN: JsonSchema = single(
  object({
    max_units: integer,
    rows: nullable(integer),
    units_remaining_this_minute: nullable(integer),
    units_remaining_this_month: nullable(integer),
    units_until_refused: nullable(integer),
    limited_by: LIMITED_BY,
  }),
);
