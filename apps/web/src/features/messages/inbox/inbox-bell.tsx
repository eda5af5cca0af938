import { ActionIcon } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import classes from "./inbox.module.css";
import type { Doors } from "./inbox-sheet.tsx";
import { unreadQuery } from "./queries.ts";
import { useInboxWords } from "./words.ts";

const loadSheet = () => import("./inbox-sheet.tsx");
const InboxSheet = lazyDialog(() => loadSheet().then(({ InboxSheet }) => InboxSheet));

/** The bell with the number of unseen notices. */
export function InboxBell({ doors }: { doors: Doors }) {
  const words = useInboxWords();
  const [open, setOpen] = useState(false);
  const unread = useQuery(unreadQuery).data?.unread ?? 0;
  const name = unread > 0 ? words.openUnread(unread) : words.open;
  return (
    <>
      <ActionIcon
        className={classes.bell ?? ""}
        aria-label={name}
        aria-haspopup="dialog"
        title={words.open}
        onClick={() => setOpen(true)}
        onPointerEnter={loadSheet}
      >
        <IconBell size={22} stroke={1.6} />
        <CountBadge corner count={unread} />
      </ActionIcon>
      <span role="status" className="k-spoken">
        {unread > 0 && !open ? name : ""}
      </span>
      {open && <InboxSheet doors={doors} onClose={() => setOpen(false)} />}
    </>
  );
}
