import { Button } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { Ring } from "../../../ui/ring.tsx";
import classes from "./device-card.module.css";

interface Props {
  name: string;
  leftS: number;
  /** Not known yet whether it is disconnected. */
  unsure: boolean;
  busy: boolean;
  onRestore: () => void;
}

/** Replaces a deleted card for a minute. */
export function RemovedCard({ name, leftS, unsure, busy, onRestore }: Props) {
  const { card } = useMemberText();
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
    // Where the closed question left the focus if this loads after it.
    if (document.activeElement?.tagName === "H1")
      place.current?.querySelector("button")?.focus({ preventScroll: true });
    const item = place.current?.closest("li");
    // The pressed button disappears: the focus moves to the restored card.
    return () =>
      void requestAnimationFrame(() => {
        if (document.activeElement === document.body) item?.querySelector("button")?.focus({ preventScroll: true });
      });
  }, []);
  return (
    <article ref={place} className={`${classes.card} ${classes.gone}`} aria-label={name}>
      <div className={classes.head}>
        <Ring state="done" size={28} />
        <div className={classes.names} role="status">
          <h3 className={classes.name}>{card.removed}</h3>
        </div>
      </div>
      <p className={classes.notes}>{(unsure ? card.removedUnsure : card.removedMore)(name, leftS)}</p>
      <div className={classes.actions}>
        <Button
          variant="outline"
          leftSection={busy ? <Ring state="wait" size={20} /> : <IconArrowBackUp size={20} stroke={1.6} />}
          onClick={() => !busy && onRestore()}
        >
          {busy ? card.restoring : card.restore}
        </Button>
      </div>
    </article>
  );
}
