import type { Api } from "@krug/contract/api";
import { inside } from "./admin-entry.ts";
import { fail, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const act = async (stage: Stage, name: string, action: string) => {
  const { page, text } = stage;
  await page.getByRole("button", { name: text.staff.table.actions(name), exact: true }).click(PATIENCE);
  await page.getByRole("menuitem", { name: action }).click(PATIENCE);
};
const dialog = ({ page }: Stage) => page.getByRole("dialog").waitFor(PATIENCE);
const servers = async (stage: Stage) => {
  await inside(stage, "servers");
  await stage.page.getByRole("heading", { name: /Хельсинки/ }).waitFor(PATIENCE);
  await stage.page.getByText(stage.text.servers.cpu).waitFor(PATIENCE);
};
const interfaces = async (stage: Stage) => {
  await inside(stage, "interfaces");
  await stage.page.getByText("10.8.1.0/24").waitFor(PATIENCE);
};
const catalog = async (stage: Stage) => {
  await inside(stage, "wireguard");
  await stage.page.getByText("Cloudflare").waitFor(PATIENCE);
};
/** The sample club's servers, with changes. */
const otherwise = async (stage: Stage, about: Partial<Api["GET /admin/servers"]["answer"][number]>) => {
  const all = (await (
    await stage.page.request.get("/api/admin/servers")
  ).json()) as Api["GET /admin/servers"]["answer"];
  await say(
    stage.page,
    "GET /admin/servers",
    all.map((server) => ({ ...server, ...about })),
  );
};

/** Servers, interfaces and the catalogue. */
export const adminServersScreens: Screen[] = [
  { name: "admin-servers", who: "admin", open: servers },
  {
    name: "admin-servers-away",
    who: "admin",
    async open(stage) {
      await otherwise(stage, {
        status: "error",
        error: "connect ETIMEDOUT 198.51.100.7",
        errorSince: new Date(Date.now() - 17 * 60_000).toISOString(),
      });
      await fail(stage.page, "GET /admin/servers/{id}/refresh");
      await inside(stage, "servers");
      await stage.page.getByText("ETIMEDOUT").waitFor(PATIENCE);
      await stage.page.getByText(stage.text.servers.statsFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-servers-none",
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/servers", []);
      await inside(stage, "servers");
      await stage.page.getByText(stage.text.servers.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-servers-broken",
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/servers");
      await inside(stage, "servers");
      await stage.page.getByText(stage.text.servers.failed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-edit",
    who: "admin",
    async open(stage) {
      const { servers: words } = stage.text;
      await servers(stage);
      await act(stage, "Хельсинки", words.actions.edit);
      await stage.page.getByLabel(words.edit.endpoint).fill("vpn.krug.example");
      await stage.page.getByRole("status").filter({ hasText: /[1-9]/ }).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-delete",
    who: "admin",
    async open(stage) {
      await servers(stage);
      await act(stage, "Хельсинки", stage.text.servers.actions.remove);
      await dialog(stage);
    },
  },
  {
    name: "admin-server-assign",
    who: "admin",
    async open(stage) {
      const { servers: words } = stage.text;
      await servers(stage);
      await act(stage, "Хельсинки", words.actions.assign);
      await stage.page.getByRole("combobox", { name: words.assign.member }).fill("ан");
      await stage.page.getByRole("option").first().waitFor(PATIENCE);
    },
  },
  { name: "admin-interfaces", who: "admin", open: interfaces },
  { name: "admin-interfaces-moderator", who: "moderator", open: interfaces },
  {
    name: "admin-interfaces-none",
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/servers/interfaces", []);
      await inside(stage, "interfaces");
      await stage.page.getByText(stage.text.interfaces.list.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-rename",
    who: "admin",
    async open(stage) {
      const { interfaces: words } = stage.text;
      await interfaces(stage);
      await act(stage, "Семья", words.actions.rename);
      await stage.page.getByLabel(words.rename.field("Семья")).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-create",
    who: "admin",
    async open(stage) {
      await interfaces(stage);
      await stage.page.getByRole("button", { name: stage.text.interfaces.list.create }).click(PATIENCE);
      await dialog(stage);
    },
  },
  {
    name: "admin-interface-edit",
    who: "admin",
    async open(stage) {
      const { interfaces: words } = stage.text;
      await interfaces(stage);
      await act(stage, "Interface 1", words.actions.edit);
      await stage.page.getByLabel(words.edit.port).fill("4500");
      await stage.page.getByText(words.edit.downloadPort).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-delete",
    who: "admin",
    async open(stage) {
      await interfaces(stage);
      await act(stage, "Interface 1", stage.text.interfaces.actions.remove);
      await dialog(stage);
    },
  },
  {
    name: "admin-interface-assign",
    who: "admin",
    async open(stage) {
      const { interfaces: words } = stage.text;
      await interfaces(stage);
      await act(stage, "Семья", words.actions.assign);
      await stage.page.getByText("vera", { exact: true }).waitFor(PATIENCE);
    },
  },
  { name: "admin-catalog", who: "admin", open: catalog },
  { name: "admin-catalog-moderator", who: "moderator", open: catalog },
  {
    name: "admin-catalog-nothing",
    who: "admin",
    async open(stage) {
      await inside(stage, "wireguard?q=zzz");
      await stage.page.getByText(stage.text.catalog.nothing).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-edit",
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await catalog(stage);
      await act(stage, "Весь трафик", words.actions.edit);
      await stage.page.getByLabel(words.edit.ips).fill("0.0.0.0/1, 128.0.0.0/1, ::/0");
      await stage.page.getByText(words.edit.effectMore).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-wrong",
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await catalog(stage);
      await stage.page.getByRole("button", { name: words.addService }).click(PATIENCE);
      await stage.page.getByLabel(words.edit.ips).fill("142.250.0.0/15, 999.1.1.1, example.com");
      await stage.page.getByRole("button", { name: words.edit.save }).click(PATIENCE);
      await stage.page.getByText(words.edit.network("999.1.1.1")).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-delete",
    who: "admin",
    async open(stage) {
      await catalog(stage);
      await act(stage, "Весь трафик", stage.text.catalog.actions.remove);
      await dialog(stage);
    },
  },
];
