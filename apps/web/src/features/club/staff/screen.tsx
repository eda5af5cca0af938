import { ActionIcon, Button } from "@mantine/core";
import { type Icon, IconArrowLeft, IconMenu2, IconSearch } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { ConnectionPlace } from "../../../ui/connection-place.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { useFrame } from "./frame.tsx";
import classes from "./screen.module.css";
import { SilenceBanner, useIsReadOnlyBySilence } from "./silence.tsx";
import { StaffLink } from "./staff-link.tsx";
import { useFocusInPlace } from "./use-focus-in-place.ts";

/** The screen does not wait for it. */
const AlarmsButton = lazyPart(() => import("./alarms.tsx").then(({ AlarmsButton }) => AlarmsButton));

interface Props {
  title: string;
  /** How many items the screen lists. */
  count?: number | null;
  /** The one filled button; on a phone its icon. */
  action?: { label: string; icon: Icon; onClick: () => void } | null;
  /** The viewer may not change what it shows: said once, instead of the buttons. */
  readOnly?: boolean;
  /** The list that an item's page belongs to: its place under /admin and its title. */
  parent?: { path: string; title: string };
  /** How much is unseen, for the window's title. */
  news?: number;
  /** Its content fills the window and scrolls by itself. */
  filled?: boolean;
  children: React.ReactNode;
}

/** A screen of the administration area: its head with the search, and its content. */
export function Screen({ title, count, action, readOnly = false, parent, news = 0, filled = false, children }: Props) {
  const { frame: words } = useStaffWords();
  const { common } = useText();
  const { me, viewedRole, openSections, openSearch } = useFrame();
  const isSilent = useIsReadOnlyBySilence();
  const whyReadOnly = isSilent ? words.readOnlySilent : words.readOnlyMore;
  const heading = useRef<HTMLHeadingElement>(null);
  const main = useRef<HTMLElement>(null);
  useFocusInPlace(main);
  usePageTitle(title, news);
  useEffect(() => {
    // The screen's code may have loaded after the router looked for a heading.
    if (!document.querySelector("[role=dialog]")) heading.current?.focus({ preventScroll: true });
  }, []);
  const Act = action?.icon;
  return (
    <>
      <header className={classes.head}>
        {parent ? (
          <StaffLink to={parent.path} className={classes.up} aria-label={`${common.back}: ${parent.title}`}>
            <IconArrowLeft size={22} stroke={1.6} aria-hidden="true" />
          </StaffLink>
        ) : (
          <ActionIcon className={classes.menu ?? ""} aria-label={words.openMenu} onClick={openSections}>
            <IconMenu2 size={22} stroke={1.6} />
          </ActionIcon>
        )}
        <h1 ref={heading} className={classes.title} tabIndex={-1}>
          {title}
        </h1>
        {count != null && <span className={classes.count}>{count}</span>}
        {readOnly && (
          <span className={classes.readOnly} title={whyReadOnly}>
            {words.readOnly}
          </span>
        )}
        <div className={classes.tools}>
          <AlarmsButton />
          <button
            type="button"
            className={`${classes.search} k-focus`}
            aria-label={words.search}
            aria-keyshortcuts="Control+K"
            onClick={openSearch}
          >
            <IconSearch size={20} stroke={1.6} aria-hidden="true" />
            <span className={classes.searchWords}>{words.search}</span>
            <kbd className={classes.key}>Ctrl K</kbd>
          </button>
          {action && Act && (
            <Button className={classes.action ?? ""} aria-label={action.label} onClick={action.onClick}>
              <Act size={20} stroke={1.6} aria-hidden="true" />
              <span className={classes.actionWords}>{action.label}</span>
            </Button>
          )}
        </div>
      </header>
      <ConnectionPlace quiet={filled} />
      <main ref={main} className={filled ? `${classes.body} ${classes.filled}` : classes.body}>
        <div className={classes.silence}>
          <SilenceBanner />
        </div>
        {readOnly && viewedRole === me.role && <p className={classes.readOnlyLine}>{whyReadOnly}</p>}
        {me.role === "admin" && viewedRole === "moderator" && (
          <p className={classes.note} role="status">
            <Ring state="warn" size={20} />
            <span>
              <b>{words.viewNote}</b>. {words.viewNoteMore}
            </span>
          </p>
        )}
        {children}
      </main>
    </>
  );
}
