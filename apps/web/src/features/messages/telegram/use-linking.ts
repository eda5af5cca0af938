import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { useNow } from "../../../lib/use-now.ts";
import { type Me, meQuery } from "../../access/auth/index.ts";
import { linkCodeQuery, telegramQuery } from "./queries.ts";

/** User-side, section 9. */
const POLL_EVERY_MS = 5_000;
const POLL_FOR_MS = 120_000;

/** A code for the bot, polled until the bot has received it. */
export function useLinking(me: Me) {
  const queryClient = useQueryClient();
  const [watchUntilMs, setWatchUntilMs] = useState(() => clubNow() + POLL_FOR_MS);
  const now = useNow(1_000);
  const watching = now < watchUntilMs;
  const status = useQuery({
    ...telegramQuery,
    // The cached state may be what led here: only answers from now on count.
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (watching && !state.data?.telegramConnected ? POLL_EVERY_MS : false),
    // Shows the result at once after returning from Telegram.
    refetchOnWindowFocus: "always",
  });
  const connected = status.isFetchedAfterMount && status.data?.telegramConnected === true;
  const code = useQuery({ ...linkCodeQuery(me.id), enabled: status.isFetchedAfterMount && !connected });
  const endsAtMs = code.data ? Date.parse(code.data.expiresAt) : null;

  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  }, [connected, queryClient]);

  const watch = () => setWatchUntilMs(clubNow() + POLL_FOR_MS);
  return {
    connected,
    account: status.data?.account ?? null,
    code,
    /** Seconds until the code expires; 0 once it has. */
    leftS: endsAtMs === null ? 0 : Math.max(0, Math.floor((endsAtMs - now) / 1_000)),
    watching,
    checking: status.isFetching,
    checkAgain() {
      watch();
      void status.refetch();
    },
    async another() {
      watch();
      await code.refetch();
    },
  };
}
