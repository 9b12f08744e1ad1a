import { component } from '../json-schema.ts';
import { namesIn } from '../named.ts';
import names from './names.json' with { type: 'json' };

/** A served id is never renamed or reused. Features are of a whole development; those of units are amenities. */
export const {
  statuses: PROJECT_STATUS_NAMES,
  features: PROJECT_FEATURE_NAMES,
  banks: PROJECT_BANK_NAMES,
} = namesIn(names);

export type ProjectStatus = keyof typeof PROJECT_STATUS_NAMES;
export const PROJECT_STATUSES = component('ProjectStatus', Object.keys(PROJECT_STATUS_NAMES) as ProjectStatus[]);
export type ProjectFeature = keyof typeof PROJECT_FEATURE_NAMES;
export const PROJECT_FEATURES = component('ProjectFeature', Object.keys(PROJECT_FEATURE_NAMES) as ProjectFeature[]);
export type ProjectBank = keyof typeof PROJECT_BANK_NAMES;
export const PROJECT_BANKS = component('ProjectBank', Object.keys(PROJECT_BANK_NAMES) as ProjectBank[]);
