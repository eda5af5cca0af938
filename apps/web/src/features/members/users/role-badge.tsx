import type { Role } from "@krug/domain/roles";
import classes from "./member-page.module.css";
import { useUsersWords } from "./words.ts";

/** A read-only role (specification, operator's side 2). */
export function RoleBadge({ role }: { role: Role }) {
  const { roles } = useUsersWords();
  return <span className={classes.badge}>{roles[role]}</span>;
}
