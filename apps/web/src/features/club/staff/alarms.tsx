import { Link } from "@tanstack/react-router";
import { clubNow } from "../../../lib/club-clock.ts";
import { sinceText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { sampleMode } from "../../../lib/sample-mode.ts";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { CountBadge } from "../../../ui/count-badge.tsx";
import { type Items, MenuButton } from "../../../ui/menu-button.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { type AlarmLine as Line, useAlarmLines } from "./alarm-lines.ts";
import classes from "./alarms.module.css";
import { useAlarmsWords } from "./alarms-words.ts";

/** In the head of every screen, always in view: what needs staff now, with links. Nothing below moves when it appears or disappears. */
export function AlarmsButton() {
  const words = useAlarmsWords();
  const known = useAlarmLines() ?? [];
  const silence = usePanelLine();
  const lines = silence === null ? known : [silence, ...known];
  const [first] = lines;
  return (
    <>
      {/* New failures are announced. What only waits is not. */}
      <span role="status" className="k-spoken">
        {known
          .filter(({ tone }) => tone === "bad")
          .map(({ text }) => text)
          .join(". ")}
      </span>
      {first && (
        <MenuButton
          button={
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
          }
        >
          {(Menu) => lines.map(({ key, ...line }) => <AlarmLine key={key} Menu={Menu} {...line} />)}
        </MenuButton>
      )}
    </>
  );
}

/** The banner that says it scrolls away with the screen. */
function usePanelLine(): Line | null {
  const words = useAlarmsWords();
  const { language } = useSpeech();
  const silentSince = useSilentSince();
  if (silentSince === null || sampleMode.isOn()) return null;
  return { key: "panel", tone: "bad", text: words.panel(sinceText(silentSince, clubNow(), language)), to: null };
}

function AlarmLine({ Menu, tone, text, to }: Omit<Line, "key"> & { Menu: Items }) {
  const leftSection = <Ring state={tone} size={20} />;
  if (to === null)
    return (
      <Menu.Item aria-disabled closeMenuOnClick={false} leftSection={leftSection}>
        {text}
      </Menu.Item>
    );
  return (
    <Menu.Item
      renderRoot={(props) => <Link to="/admin/$" params={{ _splat: to.path }} {...props} />}
      className={classes.line ?? ""}
      leftSection={leftSection}
    >
      {text}
    </Menu.Item>
  );
}
