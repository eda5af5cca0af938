import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { AskedPanel } from "./asked-panel.tsx";
import { maintenanceStateQuery } from "./queries.ts";
import classes from "./system.module.css";
import { usePart } from "./use-part.ts";
import { useSystemWords } from "./words.ts";

const MaintenanceDialog = lazyDialog(() =>
  import("./maintenance-dialog.tsx").then(({ MaintenanceDialog }) => MaintenanceDialog),
);

/** Maintenance on and off, confirmed by a two-factor code (specification, operator's side 2). */
export function MaintenancePanel() {
  const { maintenance: words } = useSystemWords();
  const query = useQuery(maintenanceStateQuery);
  return (
    <AskedPanel title={words.title} query={query} failed={words.loadFailed}>
      {(state) => <Switch {...state} />}
    </AskedPanel>
  );
}

function Switch({ enabled, since }: { enabled: boolean; since: string | null }) {
  const { maintenance: words } = useSystemWords();
  const { language } = useSpeech();
  const { asked, change } = usePart();
  const [turning, setTurning] = useState<boolean | null>(null);
  const isAsked = asked.set === "maintenance";
  useEffect(() => {
    if (!isAsked) return;
    setTurning(!enabled);
    change({ set: null });
  }, [isAsked, enabled, change]);
  return (
    <>
      <div className={classes.switch} role="status">
        <Ring state={enabled ? "warn" : "idle"} size={24} />
        <div>
          <p className={classes.word}>{enabled ? words.on : words.off}</p>
          <p className={classes.hint}>
            {enabled && since !== null ? words.since(moment(Date.parse(since), language)) : words.lead}
          </p>
        </div>
      </div>
      <Button variant="outline" onClick={() => setTurning(!enabled)}>
        {enabled ? words.turnOff : words.turnOn}
      </Button>
      {turning !== null && <MaintenanceDialog turnOn={turning} onClose={() => setTurning(null)} />}
    </>
  );
}
