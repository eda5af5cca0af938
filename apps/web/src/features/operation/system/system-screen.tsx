import { Button } from "@mantine/core";
import { useState } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Columns, Panel } from "../../../ui/panel.tsx";
import { Screen } from "../../club/staff/index.ts";
import { TemplatesPanel } from "../../members/templates/index.ts";
import { BackupPanel } from "./backup-panel.tsx";
import { ClubSettingsPanel } from "./club-settings.tsx";
import { GateSettingsPanel } from "./gate-settings.tsx";
import { MaintenancePanel } from "./maintenance-panel.tsx";
import { MessengerPanel } from "./messenger-setting.tsx";
import { NewerPanelBanner } from "./newer-panel-banner.tsx";
import { OutboxPanel } from "./outbox-panel.tsx";
import { StatePanel } from "./state-panel.tsx";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

const WipeDialog = lazyDialog(() => import("./wipe-dialog.tsx").then(({ WipeDialog }) => WipeDialog));

/** What concerns the whole club: maintenance, system health, settings, and 'Delete everything' (specification, operator's side 2). */
export function SystemScreen() {
  const { screens } = useStaffWords();
  const { wipe: words } = useSystemWords();
  const [wiping, setWiping] = useState(false);
  return (
    <Screen title={screens.system}>
      <NewerPanelBanner />
      <Columns shape="narrow-first">
        <div>
          <MaintenancePanel />
          <StatePanel />
          <BackupPanel />
          <MessengerPanel />
          <OutboxPanel />
        </div>
        <div>
          <ClubSettingsPanel />
          <TemplatesPanel />
          <GateSettingsPanel />
          <Panel title={words.title} danger className={classes.panel}>
            <p className={classes.hint}>{words.lead}</p>
            <Button variant="outline" color="red" className={classes.wipe ?? ""} onClick={() => setWiping(true)}>
              {words.open}
            </Button>
          </Panel>
        </div>
      </Columns>
      {wiping && <WipeDialog onClose={() => setWiping(false)} />}
    </Screen>
  );
}
