import type { Role } from "@krug/domain/roles";
import classes from "./member-page.module.css";
import { useUsersWords } from "./words.ts";

/** A role that is only to be read (admin-side, section 2). */
export function RoleBadge({ role }: { role: Role }) {
  const { roles } = useUsersWords();
  return <span className={classes.badge}>{roles[role]}</span>;
}
