import { useQuery } from "@tanstack/react-query";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Columns } from "../../../ui/panel.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { Screen, useRight, useViewed } from "../../club/staff/index.ts";
import { Guide } from "../guide/index.ts";
import { Attention } from "./attention.tsx";
import { Club } from "./club.tsx";
import { Ending } from "./ending.tsx";
import classes from "./pulse.module.css";
import { pulseQuery } from "./queries.ts";
import { usePulseWords } from "./words.ts";

/** Where staff begin: what waits and what is wrong, each with its button, and how the club is doing. */
export function PulseScreen() {
  const { screens } = useStaffWords();
  const words = usePulseWords();
  const { viewedRole } = useViewed();
  const hasGuide = useRight("system.change");
  const pulse = useQuery(pulseQuery(viewedRole));
  return (
    <Screen title={screens.pulse}>
      {hasGuide && <Guide />}
      <div className={classes.pulse}>
        <Attention />
        {pulse.isError && <LoadFailed title={words.failed} error={pulse.error} onRetry={() => void pulse.refetch()} />}
        {pulse.data ? (
          <Columns shape="aside">
            <Club pulse={pulse.data} />
            <div data-beside>
              <Ending ending={pulse.data.ending} />
            </div>
          </Columns>
        ) : (
          !pulse.isError && <Waiting room={420} />
        )}
      </div>
    </Screen>
  );
}
