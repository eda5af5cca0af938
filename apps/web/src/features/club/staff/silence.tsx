import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { inClub } from "../../../lib/club-clock.ts";
import { useConnection } from "../../../lib/connection.ts";
import { clock } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { sampleMode } from "../../../lib/sample-mode.ts";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { Banner } from "../../../ui/banner.tsx";
import { ALARMS } from "./key.ts";
import classes from "./screen.module.css";

/** The panel is silent and stays so: a short break is no reason to take the buttons away. Samples are there to be tried. */
export function useIsReadOnlyBySilence(): boolean {
  const silentSince = useSilentSince();
  const { state } = useConnection();
  return silentSince !== null && !sampleMode.isOn() && state === "failed";
}

const FORGET_EVERY_MS = 5_000;
/** One call may be silent alone: by then the health check has said that the panel is there. */
const SILENT_FOR_MS = 1_000;

/** Who is looking stays known: the area itself stands on it. */
const OF_THE_VIEWER: readonly unknown[] = ["me", "two-factor", "session-ended"];
/** Read for the frame around every screen: they say nothing of how old the screen's own data is, or whether there is any. */
const isOfTheFrame = ([part, of]: QueryKey) =>
  [...OF_THE_VIEWER, ALARMS[0], "maintenance", "rights"].includes(part) ||
  (part === "staff-support" && of === "waiting");

/**
 * In a demonstration samples stand in while the panel is silent. The club's own figures go then: they must not stand over
 * samples. When the panel is back everything is asked again.
 */
export function useSamplesAlone() {
  const isShowing = useSilentSince() !== null && sampleMode.isOn();
  const queryClient = useQueryClient();
  const lastAt = useRef(0);
  useEffect(() => {
    if (!isShowing) return;
    const forget = () => {
      lastAt.current = performance.now();
      void queryClient.resetQueries({ predicate: ({ queryKey }) => !OF_THE_VIEWER.includes(queryKey[0]) });
    };
    // A panel that answers now and then must not be asked for everything each time.
    const soon = setTimeout(forget, Math.max(SILENT_FOR_MS, lastAt.current + FORGET_EVERY_MS - performance.now()));
    return () => clearTimeout(soon);
  }, [isShowing, queryClient]);
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
  const shown = queryClient
    .getQueryCache()
    .findAll({ type: "active", predicate: ({ queryKey }) => !isOfTheFrame(queryKey) });
  const readAt = Math.max(0, ...shown.map(({ state }) => Math.min(inClub(state.dataUpdatedAt), silentSince)));
  return (
    <div className={classes.silence}>
      <Banner tone="broken" live title={words.silent(clock(silentSince))}>
        {readAt > 0 ? words.known(clock(readAt)) : words.unknown}
      </Banner>
    </div>
  );
}
