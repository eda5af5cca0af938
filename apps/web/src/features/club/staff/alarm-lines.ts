import { may } from "@krug/domain/staff-actions";
import type { AdminSearch } from "../../../lib/admin-search.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { sinceText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useAlarms } from "./alarms-query.ts";
import { useAlarmsWords } from "./alarms-words.ts";
import { useFrame } from "./frame.tsx";

export interface AlarmLine {
  key: string;
  /** Broken, or somebody has to act. */
  tone: "bad" | "warn";
  text: string;
  /** Its screen under /admin, and the button that leads to what helps there; null if the viewer has none for it. */
  to: { path: string; search: AdminSearch; label: string } | null;
}

/** If more servers are gone, they share one line: 300 names would bury the claims. */
const MOST_NAMED = 5;

/** What needs staff now, the gravest first; undefined until the panel has answered. */
export function useAlarmLines(): readonly AlarmLine[] | undefined {
  const words = useAlarmsWords();
  const { language } = useSpeech();
  const { viewedRole } = useFrame();
  const alarms = useAlarms();
  if (alarms === undefined) return undefined;
  const since = (iso: string) => sinceText(Date.parse(iso), clubNow(), language);
  const { act } = words;
  const toSystem = (search: AdminSearch, label: string) =>
    may(viewedRole, "system.see") ? { path: "system", search, label } : null;
  const { servers, exits, backupLateSince, maintenanceSince, claims, conversations } = alarms;
  const gone = [...servers, ...exits];
  const named = gone.length > MOST_NAMED ? gone.slice(0, MOST_NAMED - 1) : gone;
  const unnamed = gone.length - named.length;
  const toServers = may(viewedRole, "servers.see_secrets") ? { path: "servers", search: {}, label: act.server } : null;
  const lines: (AlarmLine | null)[] = [
    ...named.map((server) => ({
      key: server.id,
      tone: "bad" as const,
      text: words.server(server.name, since(server.since)),
      to: toServers,
    })),
    unnamed === 0 ? null : { key: "servers", tone: "bad", text: words.servers(unnamed), to: toServers },
    backupLateSince === null
      ? null
      : {
          key: "backup",
          tone: "bad",
          text: words.backup(since(backupLateSince)),
          to: toSystem({ add: "backup" }, act.backup),
        },
    maintenanceSince === null
      ? null
      : {
          key: "maintenance",
          tone: "warn",
          text: words.maintenance(since(maintenanceSince)),
          to: toSystem({ set: "maintenance" }, act.maintenance),
        },
    claims === 0
      ? null
      : {
          key: "claims",
          tone: "warn",
          text: words.claims(claims),
          to: { path: "payments", search: {}, label: act.claims },
        },
    conversations === 0
      ? null
      : {
          key: "chats",
          tone: "warn",
          text: words.chats(conversations),
          to: { path: "support", search: {}, label: act.chats },
        },
  ];
  return lines.filter((line) => line !== null);
}
