import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { systemQuery } from "../../../lib/system-state.ts";
import { Following } from "../../../ui/following.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Columns, Panel } from "../../../ui/panel.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Screen } from "../../club/staff/index.ts";
import { TemplatesPanel } from "../../members/templates/index.ts";
import { BackupPanel } from "./backup-panel.tsx";
import { ClubSettingsPanel } from "./club-settings.tsx";
import { GateSettingsPanel } from "./gate-settings.tsx";
import { MaintenancePanel } from "./maintenance-panel.tsx";
import { MessengerPanel } from "./messenger-setting.tsx";
import { NewerPanelBanner } from "./newer-panel-banner.tsx";
import { gateSettingsQuery, settingsQuery } from "./queries.ts";
import { StatePanel } from "./state-panel.tsx";
import classes from "./system.module.css";
import { useFacts } from "./use-facts.tsx";
import { PARTS, type Part, usePart } from "./use-part.ts";
import { useSystemWords } from "./words.ts";

const WipeDialog = lazyDialog(() => import("./wipe-dialog.tsx").then(({ WipeDialog }) => WipeDialog));

/** What concerns the whole club, in four parts: maintenance and health, settings, who may come in, and its data (specification, operator's side 2). */
export function SystemScreen() {
  const { screens } = useStaffWords();
  const { parts: words } = useSystemWords();
  const { part, change } = usePart();
  const [Upper, Lower] = PANELS[part];
  const isComing = useComing()[part];
  const worst = useFacts()[0]?.ring;
  const isTroubled = worst === "bad" || worst === "warn";
  return (
    <Screen title={screens.system}>
      <NewerPanelBanner />
      <div className={classes.parts}>
        <Segments<Part>
          label={words.label}
          labelHidden
          value={part}
          onChange={(next) => change({}, next)}
          choices={PARTS.map((value) => ({
            value,
            label: words.names[value],
            ...(value === "state" && isTroubled
              ? { icon: <Ring state={worst} size={18} />, after: <span className="k-spoken">{words.troubled}</span> }
              : {}),
          }))}
        />
      </div>
      <Columns shape={part === "state" ? "aside" : "halves"}>
        <Upper />
        <Following waits={isComing}>
          <Lower />
        </Following>
      </Columns>
    </Screen>
  );
}

/** What is at the top of each part, and what is below it on a phone. */
const PANELS: Record<Part, [React.ComponentType, React.ComponentType]> = {
  state: [StatePanel, MaintenancePanel],
  club: [ClubSettingsPanel, TemplatesPanel],
  access: [GateSettingsPanel, MessengerPanel],
  data: [BackupPanel, WipePanel],
};

/** Whether the upper panel of each part is still loading. */
function useComing(): Record<Part, boolean> {
  const system = useQuery(systemQuery).isLoading;
  const club = useQuery(settingsQuery).isLoading;
  const access = useQuery(gateSettingsQuery).isLoading;
  return { state: system, club, access, data: system };
}

function WipePanel() {
  const { wipe: words } = useSystemWords();
  const [wiping, setWiping] = useState(false);
  return (
    <Panel title={words.title} danger className={classes.panel}>
      <p className={classes.hint}>{words.lead}</p>
      <Button variant="outline" color="red" className={classes.wipe ?? ""} onClick={() => setWiping(true)}>
        {words.open}
      </Button>
      {wiping && <WipeDialog onClose={() => setWiping(false)} />}
    </Panel>
  );
}
