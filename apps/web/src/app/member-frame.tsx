import { ActionIcon } from "@mantine/core";
import { IconLayoutDashboard, IconLogout, IconSettings } from "@tabler/icons-react";
import { CatchBoundary, Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Me } from "../features/access/auth/queries.ts";
import { useLeave } from "../features/access/auth/use-leave.ts";
import type { Doors } from "../features/messages/inbox/inbox-sheet.tsx";
import { fetchAhead } from "../lib/fetch-ahead.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { useSettled } from "../lib/use-settled.ts";
import { ConnectionPlace } from "../ui/connection-place.tsx";
import { lazyPart } from "../ui/lazy.tsx";
import { lazyDialog } from "../ui/lazy-dialog.tsx";
import { Mark } from "../ui/mark.tsx";
import { Crash } from "./crash.tsx";
import classes from "./member-frame.module.css";
import { useLiveChanges } from "./use-live-changes.ts";
import { usePushKept } from "./use-push-kept.ts";

const ToastHost = lazyPart(() => import("../ui/toast-host.tsx").then(({ ToastHost }) => ToastHost));
/** Fetched after the first screen is drawn. Its place is reserved until then. */
const InboxBell = lazyPart(() =>
  import("../features/messages/inbox/inbox-bell.tsx").then(({ InboxBell }) => InboxBell),
);
const CharterDialog = lazyDialog(() =>
  import("../features/members/members/charter-dialog.tsx").then(({ CharterDialog }) => CharterDialog),
);
const Promotion = lazyPart(() =>
  import("../features/members/members/promotion.tsx").then(({ Promotion }) => Promotion),
);
const SettingsDialog = lazyDialog(() =>
  import("../features/members/members/settings-dialog.tsx").then(({ SettingsDialog }) => SettingsDialog),
);

interface Props {
  me: Me;
  /** What notices open. */
  doors: Doors;
  children: React.ReactNode;
}

/** The frame of every member's page: the club's name, settings, sign-out. */
export function MemberFrame({ me, doors, children }: Props) {
  const { dashboard, common } = useMemberText();
  const [settings, setSettings] = useState(false);
  const settled = useSettled();
  useLiveChanges(settled);
  usePushKept(settled);
  useEffect(() => {
    if (settled) void fetchAhead();
  }, [settled]);
  const leave = useLeave();
  return (
    <>
      <header className={classes.header}>
        <Link to="/dashboard" className={`${classes.brand} k-focus`}>
          <Mark size={28} />
          <span>{common.club}</span>
        </Link>
        <div className={classes.tools}>
          {me.role !== "user" && (
            <Link
              to="/admin/$"
              params={{ _splat: "users" }}
              preload={false}
              className={`${classes.staff} k-focus`}
              aria-label={dashboard.staff}
              title={dashboard.staff}
            >
              <IconLayoutDashboard size={22} stroke={1.6} aria-hidden="true" />
              <span>{dashboard.staff}</span>
            </Link>
          )}
          <span className={classes.bell}>{settled && <InboxBell doors={doors} />}</span>
          <ActionIcon aria-label={dashboard.settings} title={dashboard.settings} onClick={() => setSettings(true)}>
            <IconSettings size={22} stroke={1.6} />
          </ActionIcon>
          <ActionIcon aria-label={dashboard.logout} title={dashboard.logout} onClick={leave}>
            <IconLogout size={22} stroke={1.6} />
          </ActionIcon>
        </div>
      </header>
      <ConnectionPlace />
      {me.pendingRole && <Promotion role={me.pendingRole} onChange={() => setSettings(true)} />}
      <CatchBoundary getResetKey={() => me.id} errorComponent={Crash}>
        {children}
      </CatchBoundary>
      {settings && <SettingsDialog me={me} onClose={() => setSettings(false)} />}
      {!me.hasAcceptedRules && <CharterDialog onLeave={leave} />}
      {settled && <ToastHost />}
    </>
  );
}
