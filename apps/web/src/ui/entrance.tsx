import { ActionIcon } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useText } from "../lib/i18n/use-text.tsx";
import { BigCircle } from "./big-circle.tsx";
import { ConnectionPlace } from "./connection-place.tsx";
import classes from "./entrance.module.css";
import { Mark } from "./mark.tsx";
import { PageTools } from "./page-tools.tsx";

interface Props {
  page: "landing" | "form";
  you: "free" | "taken";
  seatLabel?: string;
  /** The form is long: on a short screen its end stays in view. */
  low?: boolean;
  children: React.ReactNode;
}

/** The entrance: the club's ring with its pool of light, and the guest's form next to it. */
export function Entrance({ page, you, seatLabel, low = false, children }: Props) {
  const { common } = useText();
  return (
    <div className={classes.page} data-page={page} data-low={low || undefined}>
      <div className={classes.room} aria-hidden="true">
        <div className={classes.circle}>
          <BigCircle you={you} {...(seatLabel ? { label: seatLabel } : {})} />
        </div>
      </div>
      <header className={classes.header}>
        {page === "form" && (
          <ActionIcon component={Link} to="/" aria-label={common.back} className={classes.back}>
            <IconArrowLeft size={22} stroke={1.6} />
          </ActionIcon>
        )}
        <Link to="/" className={`${classes.brand} k-focus`} aria-label={common.home}>
          <Mark size={28} />
          <span>{common.club}</span>
        </Link>
        <div className={classes.tools}>
          <PageTools />
        </div>
      </header>
      <ConnectionPlace />
      {children}
    </div>
  );
}

interface FormProps {
  eyebrow?: string;
  title: string;
  lead?: string;
  children: React.ReactNode;
  /** The alternative, under a hairline: a question and its link. */
  aside?: React.ReactNode;
}

export function EntranceForm({ eyebrow, title, lead, children, aside }: FormProps) {
  return (
    <main className={classes.form}>
      <div className={classes.formBody}>
        {eyebrow && <p className={classes.eyebrow}>{eyebrow}</p>}
        <h1 className={classes.title} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className={classes.lead}>{lead}</p>}
        {children}
      </div>
      {aside && <div className={classes.aside}>{aside}</div>}
    </main>
  );
}
