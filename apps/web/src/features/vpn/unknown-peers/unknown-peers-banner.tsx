import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Banner } from "../../../ui/banner.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { useRight } from "../../club/staff/index.ts";
import { unknownPeersQuery } from "./queries.ts";
import classes from "./unknown-peers.module.css";
import { useUnknownPeersWords } from "./words.ts";

const UnknownPeersDialog = lazyDialog(() =>
  import("./unknown-peers-dialog.tsx").then(({ UnknownPeersDialog }) => UnknownPeersDialog),
);

/** After a restore: connected devices that the backup does not know, until an admin has decided about each. */
export function UnknownPeersBanner() {
  const words = useUnknownPeersWords();
  const isTold = useRight("servers.change");
  const { data } = useQuery({ ...unknownPeersQuery, enabled: isTold });
  const [open, setOpen] = useState(false);
  const total = data?.total ?? 0;
  return (
    <>
      {total > 0 && (
        <div className={classes.banner}>
          <Banner
            tone="move"
            live
            title={words.banner(total)}
            action={
              <Button variant="outline" onClick={() => setOpen(true)}>
                {words.show}
              </Button>
            }
          >
            <p>{words.bannerMore}</p>
          </Banner>
        </div>
      )}
      {open && <UnknownPeersDialog onClose={() => setOpen(false)} />}
    </>
  );
}
