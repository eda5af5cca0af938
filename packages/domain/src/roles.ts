export const ROLES = ["user", "moderator", "admin"] as const;
export type Role = (typeof ROLES)[number];

export function isStaff(role: Role): boolean {
  return role !== "user";
}
