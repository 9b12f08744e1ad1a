/** Roles of members, from most to fewest permissions. Only owners manage billing, members and admin keys. */
export const ROLES = ['owner', 'admin', 'developer', 'billing', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
