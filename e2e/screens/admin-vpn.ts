import { inside } from "./admin-entry.ts";
import { fail, read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const statistics = async (stage: Stage, query = "") => {
  await inside(stage, `vpn${query}`);
  await stage.page.getByRole("heading", { name: stage.text.statistics.top.devices }).waitFor(PATIENCE);
  await stage.page.getByText("iphone-marina").waitFor(PATIENCE);
};
const configs = async (stage: Stage, query = "") => {
  await inside(stage, `configs${query}`);
  await stage.page.getByText("iphone-marina").waitFor(PATIENCE);
};
const button = ({ page }: Stage, name: string) => page.getByRole("button", { name, exact: true }).click(PATIENCE);
const act = async (stage: Stage, action: string) => {
  await button(stage, stage.text.staff.table.actions("iphone-marina"));
  await stage.page.getByRole("menuitem", { name: action }).click(PATIENCE);
  await stage.page.getByRole("dialog").waitFor(PATIENCE);
};
const inbox = async ({ page, text }: Stage) => {
  await page.goto("/dashboard");
  await page.getByRole("button", { name: new RegExp(`^${text.inbox.open}`) }).click(PATIENCE);
  await page.getByRole("dialog", { name: text.inbox.title }).waitFor(PATIENCE);
};
const told = (hoursAgo: number) => new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** The screens of statistics, of everyone's configs and of the inbox. */
export const adminVpnScreens: Screen[] = [
  { name: "vpn-statistics", who: "admin", open: (stage) => statistics(stage) },
  {
    name: "vpn-statistics-below",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await statistics(stage, "?span=year");
      await stage.page.getByRole("heading", { name: stage.text.statistics.top.services }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "vpn-statistics-table",
    who: "moderator",
    async open(stage) {
      await statistics(stage, "?span=month");
      await button(stage, stage.text.statistics.chart.table);
      await stage.page.getByRole("table").scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "vpn-statistics-days",
    who: "admin",
    async open(stage) {
      await statistics(stage, "?span=month");
      await stage.page.getByText(stage.text.statistics.custom, { exact: true }).click(PATIENCE);
      await button(stage, stage.text.statistics.show);
      await stage.page.getByText(stage.text.statistics.datesMissing).waitFor(PATIENCE);
    },
  },
  {
    name: "vpn-statistics-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      for (const key of ["now", "traffic", "breakdown"] as const)
        await fail(stage.page, `GET /admin/statistics/${key}`);
      await inside(stage, "vpn");
      await stage.page.getByText(stage.text.statistics.failed).waitFor(PATIENCE);
    },
  },
  { name: "vpn-configs", who: "admin", open: (stage) => configs(stage) },
  {
    name: "vpn-configs-moderator",
    isVariant: true,
    who: "moderator",
    open: (stage) => configs(stage, "?sort=traffic&order=desc"),
  },
  {
    name: "vpn-configs-nothing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "configs?filter=stale&q=zzz");
      await stage.page.getByText(stage.text.configsBrowser.clear).waitFor(PATIENCE);
    },
  },
  {
    name: "vpn-configs-details",
    who: "admin",
    async open(stage) {
      await configs(stage);
      await act(stage, stage.text.configsBrowser.details);
    },
  },
  {
    name: "vpn-configs-moving",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page } = stage;
      await configs(stage);
      const query = { scope: "all", q: "iphone-marina" } as const;
      const [row] = await read(page, "GET /vpn/configs", { query });
      if (!row?.staff) throw new Error("the sample club has no config");
      const until = new Date(Date.now() + 23 * 3_600_000).toISOString();
      const moving = { until, interfaceId: row.interfaceId, interfaceName: "Interface 2", serverName: "Рига" };
      const staff = { ...row.staff, movingFrom: { address: "10.8.1.9", addressV6: null } };
      await say(page, "GET /vpn/configs", [{ ...row, moving, staff }]);
      await configs(stage);
      await act(stage, stage.text.configsBrowser.details);
    },
  },
  {
    name: "vpn-configs-move",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { move, details } = stage.text.configsBrowser;
      await configs(stage);
      await act(stage, details);
      await stage.page.getByRole("dialog").getByRole("button", { name: move.button }).click(PATIENCE);
      await stage.page.getByRole("dialog").getByRole("combobox").selectOption({ index: 1 }, PATIENCE);
    },
  },
  {
    name: "vpn-configs-end",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { end, details } = stage.text.configsBrowser;
      await configs(stage);
      await act(stage, details);
      await stage.page.getByRole("dialog").getByRole("button", { name: end.button }).click(PATIENCE);
    },
  },
  {
    name: "vpn-configs-removal",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await configs(stage);
      await act(stage, stage.text.configsBrowser.remove);
    },
  },
  {
    name: "vpn-notify",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      await button(stage, text.staff.table.actions("Марина"));
      await page.getByRole("menuitem", { name: text.users.actions.notify }).click(PATIENCE);
      await button(stage, text.inbox.notify.send);
      await page.getByText(text.inbox.notify.empty).waitFor(PATIENCE);
    },
  },
  {
    name: "inbox",
    who: "vera",
    async open(stage) {
      await say(stage.page, "GET /inbox/unread", { unread: 3 });
      await say(stage.page, "POST /inbox/read", { unread: 0 });
      await say(stage.page, "GET /inbox", [
        {
          id: id(1),
          kind: "staff_message",
          params: { text: "В субботу переносим сервер. Менять ничего не нужно: конфиги подключатся сами." },
          createdAt: told(0.2),
          readAt: null,
        },
        { id: id(2), kind: "support_reply", params: { ticketId: null }, createdAt: told(3), readAt: null },
        {
          id: id(3),
          kind: "subscription_ends",
          params: { days: 3, endsAt: told(-72) },
          createdAt: told(5),
          readAt: null,
        },
        {
          id: id(4),
          kind: "config_deleted",
          params: { names: ["pixel-vera"] },
          createdAt: told(30),
          readAt: told(20),
        },
        { id: id(7), kind: "config_made", params: { name: "ipad" }, createdAt: told(40), readAt: told(20) },
        {
          id: id(8),
          kind: "configs_moved",
          params: { names: ["mac", "tablet"], until: told(17) },
          createdAt: told(42),
          readAt: told(20),
        },
        {
          id: id(9),
          kind: "config_moved",
          params: { name: "mac", until: told(17) },
          createdAt: told(41),
          readAt: told(20),
        },
        {
          id: id(5),
          kind: "maintenance_ended",
          params: { since: told(51), until: told(50) },
          createdAt: told(50),
          readAt: told(20),
        },
        {
          id: id(6),
          kind: "payment_recorded",
          params: { period: "2026-11", until: told(-300) },
          createdAt: told(400),
          readAt: told(390),
        },
      ]);
      await inbox(stage);
      await stage.page.getByText("pixel-vera").last().waitFor(PATIENCE);
    },
  },
  {
    name: "inbox-bell",
    isComposed: true,
    who: "vera",
    async open(stage) {
      await say(stage.page, "GET /inbox/unread", { unread: 3 });
      await stage.page.goto("/dashboard");
      await stage.page.getByRole("button", { name: stage.text.inbox.openUnread(3) }).waitFor(PATIENCE);
    },
  },
  {
    name: "inbox-empty",
    isVariant: true,
    who: "anton",
    async open(stage) {
      await say(stage.page, "GET /inbox/unread", { unread: 0 });
      await say(stage.page, "GET /inbox", []);
      await inbox(stage);
      await stage.page.getByText(stage.text.inbox.empty).waitFor(PATIENCE);
    },
  },
];
