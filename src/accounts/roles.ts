/** Roles of members. No permission depends on the role; the last owner among several members cannot be removed. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
