import { IconExternalLink } from "@tabler/icons-react";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { CLIENTS, type System } from "./clients.ts";
import classes from "./guide.module.css";

/** Where to get the client for these systems. */
export function ClientLinks({ systems }: { systems: readonly System[] }) {
  const { guide } = useMemberText();
  return (
    <p className={classes.clients}>
      {systems.map((system) => (
        <a
          key={system}
          className={`${classes.client} k-focus`}
          href={CLIENTS[system].address}
          target="_blank"
          rel="noreferrer"
        >
          {guide.get(CLIENTS[system].name)}
          <IconExternalLink size={18} stroke={1.6} aria-hidden="true" />
        </a>
      ))}
    </p>
  );
}
