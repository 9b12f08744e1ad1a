/** What a member of an organization may do, most first. Only an owner manages billing, members and admin keys. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
