import { Button } from "@mantine/core";
import { useState } from "react";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

const BackupDialog = lazyDialog(() => import("./backup-dialog.tsx").then(({ BackupDialog }) => BackupDialog));

/** The whole club as a file to keep elsewhere. */
export function BackupPanel() {
  const { backup: words } = useSystemWords();
  const [taking, setTaking] = useState(false);
  return (
    <Panel title={words.title} className={classes.panel}>
      <p className={classes.hint}>{words.lead}</p>
      <Button variant="outline" onClick={() => setTaking(true)}>
        {words.open}
      </Button>
      {taking && <BackupDialog onClose={() => setTaking(false)} />}
    </Panel>
  );
}
