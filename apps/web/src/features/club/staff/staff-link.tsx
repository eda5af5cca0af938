import { Link } from "@tanstack/react-router";
import type { AdminSearch } from "../../../lib/admin-search.ts";

interface Props extends Pick<React.ComponentProps<"a">, "children" | "aria-label" | "aria-current" | "onClick"> {
  /** Which screen of the administration area, and what of it. */
  to: string;
  search?: AdminSearch;
  className: string | undefined;
  onPointerEnter?: () => void;
}

/** A link to a screen of the administration area. */
export const StaffLink = ({ to, className, ...link }: Props) => (
  <Link to="/admin/$" params={{ _splat: to }} className={`${className} k-focus`} {...link} />
);
