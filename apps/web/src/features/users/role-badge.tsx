import type { Role } from "@krug/domain/roles";
import { useUsersWords } from "../../lib/i18n/users.ts";
import classes from "./member-page.module.css";

/** A role that is only to be read (admin-side, section 2). */
export function RoleBadge({ role }: { role: Role }) {
  const { roles } = useUsersWords();
  return <span className={classes.badge}>{roles[role]}</span>;
}
