import type { AdminSearch } from "../../../lib/admin-search.ts";
import { DoorLink } from "../../../ui/door-link.tsx";
import classes from "./system.module.css";

/** From a fact to the part, or the dialog, where something can be done about it. */
export const Door = ({ label, search }: { label: string; search: AdminSearch }) => (
  <span className={classes.door}>
    <DoorLink to="/admin/$" params={{ _splat: "system" }} search={search}>
      {label}
    </DoorLink>
  </span>
);
