import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { systemQuery } from "../../../lib/system-state.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Scheduled } from "./backup-state.tsx";
import classes from "./system.module.css";
import { usePart } from "./use-part.ts";
import { useSystemWords } from "./words.ts";

const BackupDialog = lazyDialog(() => import("./backup-dialog.tsx").then(({ BackupDialog }) => BackupDialog));

/** The whole club as a file to store elsewhere. */
export function BackupPanel() {
  const { backup: words } = useSystemWords();
  const { data } = useQuery(systemQuery);
  const { asked, change } = usePart();
  const setTaking = (isTaking: boolean) => change(isTaking ? { add: "backup" } : { add: null });
  return (
    <Panel title={words.title} className={classes.panel}>
      <p className={classes.hint}>{words.lead}</p>
      {data !== undefined && <Scheduled state={data.backups} />}
      <Button variant="outline" onClick={() => setTaking(true)}>
        {words.open}
      </Button>
      {asked.add === "backup" && <BackupDialog onClose={() => setTaking(false)} />}
    </Panel>
  );
}
