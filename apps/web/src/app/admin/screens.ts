import type { Role } from "@krug/domain/roles";
import { type FixedAction, may } from "@krug/domain/staff-actions";
import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconChartLine,
  IconCreditCard,
  IconFilter,
  IconHeadset,
  IconHistory,
  IconKey,
  IconListDetails,
  IconNetwork,
  IconServer,
  IconSettings,
  IconTicket,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { ClaimsCount, GoneCount } from "../../features/club/staff/index.ts";
import { WaitingCount } from "../../features/messages/staff-support/waiting-count.tsx";
import type { StaffWords } from "../../lib/i18n/staff.ts";
import { type Lazy, lazyPart } from "../../ui/lazy.tsx";
import { ScreenComing } from "./screen-coming.tsx";

/** A screen whose code is fetched when it is opened, or shortly before. */
const lazyScreen = <Props extends object>(load: () => Promise<ComponentType<Props>>) => lazyPart(load, ScreenComing);

export interface AdminScreen {
  /** Its place under /admin. */
  path: string;
  title: keyof StaffWords["screens"];
  icon: Icon;
  /** The right needed to see it in the sidebar and to open it (specification, operator's side 2 and 6). */
  needs: FixedAction;
  /** Ours are below a divider; the pulse, where staff begin, is above all. */
  group: "specified" | "ours";
  /** At the end of its row: how much is waiting there. */
  waiting?: ComponentType;
  screen: Lazy<Record<never, never>>;
  /** The page of one item of the list, at /admin/{path}/{id}. */
  item?: Lazy<{ id: string }>;
}

/** Every screen of the administration area, in the sidebar's order. A new screen is one entry. */
export const screens: readonly AdminScreen[] = [
  {
    path: "pulse",
    title: "pulse",
    icon: IconActivity,
    needs: "area.enter",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/operation/pulse/pulse-screen.tsx").then(({ PulseScreen }) => PulseScreen),
    ),
  },
  {
    path: "users",
    title: "users",
    icon: IconUsers,
    needs: "members.see",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/members/users/users-screen.tsx").then(({ UsersScreen }) => UsersScreen),
    ),
    item: lazyScreen(() => import("../../features/members/users/member-page.tsx").then(({ MemberPage }) => MemberPage)),
  },
  {
    path: "payments",
    title: "payments",
    icon: IconCreditCard,
    needs: "payments.see",
    group: "specified",
    waiting: ClaimsCount,
    screen: lazyScreen(() =>
      import("../../features/money/payments/payments-screen.tsx").then(({ PaymentsScreen }) => PaymentsScreen),
    ),
  },
  {
    path: "invites",
    title: "invites",
    icon: IconTicket,
    needs: "invites.see",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/access/invites/invite-codes-screen.tsx").then(
        ({ InviteCodesScreen }) => InviteCodesScreen,
      ),
    ),
    item: lazyScreen(() => import("../../features/access/invites/code-page.tsx").then(({ CodePage }) => CodePage)),
  },
  {
    path: "servers",
    title: "servers",
    icon: IconServer,
    needs: "servers.see_secrets",
    group: "specified",
    waiting: GoneCount,
    screen: lazyScreen(() =>
      import("../../features/vpn/servers/servers-screen.tsx").then(({ ServersScreen }) => ServersScreen),
    ),
  },
  {
    path: "wireguard",
    title: "wireguard",
    icon: IconAdjustments,
    needs: "configs.see_all",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/vpn/catalog/catalog-screen.tsx").then(({ CatalogScreen }) => CatalogScreen),
    ),
  },
  {
    path: "interfaces",
    title: "interfaces",
    icon: IconNetwork,
    needs: "interfaces.see",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/vpn/interfaces/interfaces-screen.tsx").then(({ InterfacesScreen }) => InterfacesScreen),
    ),
  },
  {
    path: "vpn",
    title: "vpn",
    icon: IconChartLine,
    needs: "traffic.see",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/operation/statistics/statistics-screen.tsx").then(
        ({ StatisticsScreen }) => StatisticsScreen,
      ),
    ),
  },
  {
    path: "configs",
    title: "configs",
    icon: IconListDetails,
    needs: "configs.see_all",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/vpn/config-browser/config-browser-screen.tsx").then(
        ({ ConfigBrowserScreen }) => ConfigBrowserScreen,
      ),
    ),
  },
  {
    path: "rules",
    title: "rules",
    icon: IconFilter,
    needs: "rules.see",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/vpn/access-rules/rules-screen.tsx").then(({ RulesScreen }) => RulesScreen),
    ),
  },
  {
    path: "2fa",
    title: "twoFactor",
    icon: IconKey,
    needs: "area.enter",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/access/two-factor/two-factor-screen.tsx").then(({ TwoFactorScreen }) => TwoFactorScreen),
    ),
  },
  {
    path: "system",
    title: "system",
    icon: IconSettings,
    needs: "system.see",
    group: "specified",
    screen: lazyScreen(() =>
      import("../../features/operation/system/system-screen.tsx").then(({ SystemScreen }) => SystemScreen),
    ),
  },
  {
    path: "support",
    title: "support",
    icon: IconHeadset,
    needs: "support.answer",
    group: "ours",
    waiting: WaitingCount,
    screen: lazyScreen(() =>
      import("../../features/messages/staff-support/support-screen.tsx").then(({ SupportScreen }) => SupportScreen),
    ),
  },
  {
    path: "audit",
    title: "audit",
    icon: IconHistory,
    needs: "audit.see",
    group: "ours",
    screen: lazyScreen(() =>
      import("../../features/club/audit/audit-screen.tsx").then(({ AuditScreen }) => AuditScreen),
    ),
  },
  {
    path: "webhooks",
    title: "webhooks",
    icon: IconWebhook,
    needs: "webhooks.change",
    group: "ours",
    screen: lazyScreen(() =>
      import("../../features/messages/webhooks/webhooks-screen.tsx").then(({ WebhooksScreen }) => WebhooksScreen),
    ),
  },
];

/** The screen at `users` or `users/marina` for this role; null if there is none. */
export function screenAt(place: string | undefined, role: Role): { screen: AdminScreen; id: string | null } | null {
  const [path = "", id = null, ...rest] = (place ?? "").split("/");
  const screen = screens.find((candidate) => candidate.path === path);
  if (!screen || !may(role, screen.needs) || rest.length > 0) return null;
  if (id !== null && !screen.item) return null;
  return { screen, id };
}
