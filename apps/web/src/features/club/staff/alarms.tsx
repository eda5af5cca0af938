import { may } from "@krug/domain/staff-actions";
import { Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { clubNow } from "../../../lib/club-clock.ts";
import { sinceText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { menuManner } from "../../../ui/more-menu.tsx";
import { Ring } from "../../../ui/ring.tsx";
import classes from "./alarms.module.css";
import { useAlarms } from "./alarms-query.ts";
import { useAlarmsWords } from "./alarms-words.ts";
import { useFrame } from "./frame.tsx";

interface Line {
  key: string;
  /** Broken, or somebody has to act. */
  tone: "bad" | "warn";
  text: string;
  /** Its screen under /admin; null if the viewer has none for it. */
  path: string | null;
}

/** What needs staff now, the gravest first. */
function useLines(): readonly Line[] {
  const words = useAlarmsWords();
  const { language } = useSpeech();
  const { viewedRole } = useFrame();
  const alarms = useAlarms();
  if (alarms === undefined) return [];
  const since = (iso: string) => sinceText(Date.parse(iso), clubNow(), language);
  const toServers = may(viewedRole, "servers.see_secrets") ? "servers" : null;
  const toSystem = may(viewedRole, "system.see") ? "system" : null;
  const { servers, exits, backupLateSince, maintenanceSince, claims, conversations } = alarms;
  return [
    ...[...servers, ...exits].map((server) => ({
      key: server.id,
      tone: "bad" as const,
      text: words.server(server.name, since(server.since)),
      path: toServers,
    })),
    ...(backupLateSince === null
      ? []
      : [
          {
            key: "backup",
            tone: "bad" as const,
            text: words.backup(since(backupLateSince)),
            path: toSystem,
          },
        ]),
    ...(maintenanceSince === null
      ? []
      : [
          {
            key: "maintenance",
            tone: "warn" as const,
            text: words.maintenance(since(maintenanceSince)),
            path: toSystem,
          },
        ]),
    ...(claims === 0 ? [] : [{ key: "claims", tone: "warn" as const, text: words.claims(claims), path: "payments" }]),
    ...(conversations === 0
      ? []
      : [{ key: "chats", tone: "warn" as const, text: words.chats(conversations), path: "support" }]),
  ];
}

/** In the head of every screen, always in view: what needs staff now, with links. Nothing below moves when it appears or disappears. */
export function AlarmsButton() {
  const words = useAlarmsWords();
  const lines = useLines();
  const [first] = lines;
  return (
    <>
      {/* New failures are announced. What only waits is not. */}
      <span role="status" className="k-spoken">
        {lines
          .filter(({ tone }) => tone === "bad")
          .map(({ text }) => text)
          .join(". ")}
      </span>
      {first && (
        <Menu {...menuManner}>
          <Menu.Target>
            <button
              type="button"
              className={`${classes.alarms} k-focus`}
              data-tone={first.tone}
              aria-label={words.open(lines.length, first.text)}
            >
              <Ring state={first.tone} size={22} />
              <span className={classes.text}>{first.text}</span>
              {lines.length > 1 && <span className={classes.more}>{words.more(lines.length - 1)}</span>}
              <span className={classes.count}>
                <CountBadge count={lines.length} />
              </span>
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {lines.map(({ key, ...line }) => (
              <AlarmLine key={key} {...line} />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

function AlarmLine({ tone, text, path }: Omit<Line, "key">) {
  const leftSection = <Ring state={tone} size={20} />;
  if (path === null)
    return (
      <Menu.Item aria-disabled closeMenuOnClick={false} leftSection={leftSection}>
        {text}
      </Menu.Item>
    );
  return (
    <Menu.Item
      renderRoot={(props) => <Link to="/admin/$" params={{ _splat: path }} {...props} />}
      className={classes.line ?? ""}
      leftSection={leftSection}
    >
      {text}
    </Menu.Item>
  );
}
