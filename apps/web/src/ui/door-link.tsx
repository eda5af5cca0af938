import { IconArrowRight } from "@tabler/icons-react";
import { Link, type LinkProps } from "@tanstack/react-router";
import classes from "./door-link.module.css";

/** A link to another page, with an arrow, such as an entrance form's alternative. */
export function DoorLink({ children, ...to }: LinkProps & { children: string }) {
  return (
    <Link {...to} className={`${classes.door} k-focus`}>
      {children}
      <IconArrowRight size={18} stroke={1.6} aria-hidden="true" />
    </Link>
  );
}
