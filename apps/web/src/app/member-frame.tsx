import { ActionIcon } from "@mantine/core";
import { IconLayoutDashboard, IconLogout, IconSettings } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { type Me, meQuery } from "../features/auth/queries.ts";
import { api, explain } from "../lib/api.ts";
import { useMemberText } from "../lib/i18n/member.ts";
import { useSettled } from "../lib/use-settled.ts";
import { DialogPlace, lazyDialog } from "../ui/lazy-dialog.tsx";
import { Mark } from "../ui/mark.tsx";
import { useToast } from "../ui/toasts.tsx";
import classes from "./member-frame.module.css";
import { useLiveChanges } from "./use-live-changes.ts";

const ToastHost = lazy(() => import("../ui/toast-host.tsx").then(({ ToastHost }) => ({ default: ToastHost })));
/** Fetched after the first screen stands; its place is kept free until then. */
const InboxBell = lazy(() =>
  import("../features/inbox/inbox-bell.tsx").then(({ InboxBell }) => ({ default: InboxBell })),
);
const CharterDialog = lazyDialog(() =>
  import("../features/members/charter-dialog.tsx").then(({ CharterDialog }) => CharterDialog),
);
const SettingsDialog = lazyDialog(() =>
  import("../features/members/settings-dialog.tsx").then(({ SettingsDialog }) => SettingsDialog),
);

/** What stands around every page of a member: the club's name, settings, the way out. */
export function MemberFrame({ me, children }: { me: Me; children: React.ReactNode }) {
  const { dashboard, common, failure } = useMemberText();
  const [settings, setSettings] = useState(false);
  const settled = useSettled();
  useLiveChanges(settled);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const leave = useMutation({
    mutationFn: () => api("POST /auth/logout"),
    onSuccess: async () => {
      queryClient.setQueryData(meQuery.queryKey, null);
      await navigate({ to: "/login", replace: true });
      // The next person at this device starts from nothing.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
    },
    onError: (error) => toast("bad", explain(error, failure.noApi, failure.silent)),
  });
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
          <span className={classes.bell}>
            <Suspense fallback={null}>{settled && <InboxBell />}</Suspense>
          </span>
          <ActionIcon aria-label={dashboard.settings} title={dashboard.settings} onClick={() => setSettings(true)}>
            <IconSettings size={22} stroke={1.6} />
          </ActionIcon>
          <ActionIcon aria-label={dashboard.logout} title={dashboard.logout} onClick={() => leave.mutate()}>
            <IconLogout size={22} stroke={1.6} />
          </ActionIcon>
        </div>
      </header>
      {children}
      <DialogPlace>{settings && <SettingsDialog me={me} onClose={() => setSettings(false)} />}</DialogPlace>
      <DialogPlace>{!me.hasAcceptedRules && <CharterDialog onLeave={() => leave.mutate()} />}</DialogPlace>
      <Suspense fallback={null}>{settled && <ToastHost />}</Suspense>
    </>
  );
}
