import { useQueryClient } from "@tanstack/react-query";
import { useConnection } from "../../lib/connection.ts";
import { clock } from "../../lib/format.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { sampleMode } from "../../lib/sample-mode.ts";
import { useSilentSince } from "../../lib/use-availability.ts";
import { Banner } from "../../ui/banner.tsx";
import classes from "./screen.module.css";

/** The panel is silent and stays so: a short break is no reason to take the buttons away. */
export function useIsReadOnlyBySilence(): boolean {
  const silentSince = useSilentSince();
  const { state } = useConnection();
  return silentSince !== null && state === "failed" && !sampleMode.isOn();
}

/** While the panel does not answer: how old the data on the screen is, or that it is sample data (decisions, section 11). */
export function SilenceBanner() {
  const { silence: words } = useStaffWords();
  const silentSince = useSilentSince();
  const queryClient = useQueryClient();
  if (silentSince === null) return null;
  if (sampleMode.isOn())
    return (
      <div className={classes.silence}>
        <Banner tone="move" live title={words.sample}>
          {words.sampleMore(clock(silentSince))}
        </Banner>
      </div>
    );
  const shown = queryClient.getQueryCache().findAll({ type: "active" });
  const readAt = Math.max(0, ...shown.map(({ state }) => Math.min(state.dataUpdatedAt, silentSince)));
  return (
    <div className={classes.silence}>
      <Banner tone="broken" live title={words.silent(clock(silentSince))}>
        {readAt > 0 ? words.known(clock(readAt)) : words.unknown}
      </Banner>
    </div>
  );
}
