import { type Query, type QueryClient, type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { ApiError } from "../../../lib/api.ts";
import { clubNow, inClub } from "../../../lib/club-clock.ts";
import { useConnection } from "../../../lib/connection.ts";
import { sinceText } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { sampleMode } from "../../../lib/sample-mode.ts";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { Banner } from "../../../ui/banner.tsx";
import { ALARMS } from "./key.ts";
import classes from "./screen.module.css";

/** The panel is silent and remains so: a short interruption is no reason to remove the buttons. Samples may be tried out. */
export function useIsReadOnlyBySilence(): boolean {
  const silentSince = useSilentSince();
  const { state } = useConnection();
  return silentSince !== null && !sampleMode.isOn() && state === "failed";
}

const FORGET_EVERY_MS = 5_000;
/** A single call may be silent. Within this time the health check has shown that the panel is up. */
const SILENT_FOR_MS = 1_000;

/** The viewer stays known: the area itself depends on it. */
const OF_THE_VIEWER: readonly unknown[] = ["me", "two-factor", "session-ended"];
/** Read for the frame around every screen, so they do not show whether the screen has data or how old it is. */
const isOfTheFrame = ([part, of]: QueryKey) =>
  [...OF_THE_VIEWER, ALARMS[0], "maintenance", "rights"].includes(part) ||
  (part === "staff-support" && of === "waiting");

/**
 * In a demonstration samples replace missing answers while the panel is silent. The club's own figures disappear then: they must
 * not be shown over samples. When the panel is back everything is refetched.
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
    // A panel that answers now and then must not get requests for everything each time.
    const soon = setTimeout(forget, Math.max(SILENT_FOR_MS, lastAt.current + FORGET_EVERY_MS - performance.now()));
    return () => clearTimeout(soon);
  }, [isShowing, queryClient]);
}

/** While the panel does not answer: how old the data on the screen is, or that it is sample data (decisions, section 11). */
export function SilenceBanner() {
  const { silence: words } = useStaffWords();
  const { language } = useSpeech();
  const silentSince = useSilentSince();
  const said = (ms: number) => sinceText(ms, clubNow(), language);
  if (silentSince === null) return null;
  if (sampleMode.isOn())
    return (
      <div className={classes.silence}>
        <Banner tone="move" live title={words.sample}>
          {words.sampleMore(said(silentSince))}
        </Banner>
      </div>
    );
  return (
    <div className={classes.silence}>
      <Banner tone="broken" live title={words.silent(said(silentSince))}>
        <Shown silentSince={silentSince} />
      </Banner>
    </div>
  );
}

function Shown({ silentSince }: { silentSince: number }) {
  const { silence: words } = useStaffWords();
  const { language } = useSpeech();
  const readAt = useShown((queries) =>
    Math.max(0, ...queries.map(({ state }) => Math.min(inClub(state.dataUpdatedAt), silentSince))),
  );
  const isPartial = useShown((queries) => queries.some(isUnread));
  if (readAt === 0) return words.unknown;
  return (isPartial ? words.partial : words.known)(sinceText(readAt, clubNow(), language));
}

/** What the panel did answer, such as a refusal, is not missing. */
const isUnread = ({ state: { data, error } }: Query) => data === undefined && !(error instanceof ApiError);

/** What `read` finds in the queries that the screen shows. They may come after the banner. */
function useShown<Found extends number | boolean>(read: (queries: Query[]) => Found): Found {
  const queryClient = useQueryClient();
  const cache = queryClient.getQueryCache();
  return useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () => read(shownBy(queryClient)),
  );
}

function shownBy(queryClient: QueryClient): Query[] {
  const read = queryClient.getQueryCache().findAll({ type: "active" });
  const ofTheScreen = read.filter(({ queryKey }) => !isOfTheFrame(queryKey));
  // A screen may show only what the frame reads too, such as whether two-factor is on.
  return ofTheScreen.length > 0 ? ofTheScreen : read;
}
