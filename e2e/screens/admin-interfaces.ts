import type { Api } from "@krug/contract/api";
import { refusalText } from "@krug/contract/refusals";
import { reasons } from "@krug/domain/reasons";
import { amneziaFieldsOf } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { act, dialog } from "./act.ts";
import { inside } from "./admin-entry.ts";
import { AT, STOCKHOLM } from "./admin-servers.ts";
import { intercept, read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const interfaces = async (stage: Stage) => {
  await inside(stage, "interfaces");
  await stage.page.getByText("10.8.1.0/24").waitFor(PATIENCE);
};
/** The first interface is AmneziaWG, and its devices are gone. */
const hidden = async (stage: Stage) => {
  const [first, ...others] = await read(stage.page, "GET /admin/servers/interfaces");
  if (first === undefined) throw new Error("the sample has no interface");
  const { parameters } = generateProfile("3.1", "dns", (below) => Math.floor(below / 2));
  const texts = amneziaFieldsOf("3.1").flatMap(({ key, name, initial, toText }) =>
    key === "HeaderProtectionKey" ? [] : [[key, toText(parameters[name] ?? initial)]],
  );
  const amneziawg = { version: "3.1" as const, parameters: Object.fromEntries(texts), mtu: 1398 };
  const goneSince = new Date(Date.now() - 25 * 60_000).toISOString();
  await say(stage.page, "GET /admin/servers/interfaces", [
    { ...first, type: "amneziawg", amneziawg, goneSince },
    ...others,
  ]);
  await interfaces(stage);
};
const moveIn = async (stage: Stage) => {
  const { list, moveIn: words } = stage.text.interfaces;
  await interfaces(stage);
  await stage.page.getByRole("button", { name: list.create }).click(PATIENCE);
  await stage.page.getByRole("button", { name: words.offer }).click(PATIENCE);
  await stage.page.getByLabel(words.paste).waitFor(PATIENCE);
};

/** The same on a server over SSH, where programs are found. */
const find = async (stage: Stage) => {
  const { list, moveIn: words } = stage.text.interfaces;
  await interfaces(stage);
  const all = await read(stage.page, "GET /admin/servers");
  await say(
    stage.page,
    "GET /admin/servers",
    all.map((server) => ({ ...server, driver: "ssh" as const, isSetupComplete: true })),
  );
  await interfaces(stage);
  await stage.page.getByRole("button", { name: list.create }).click(PATIENCE);
  await stage.page.getByRole("button", { name: words.offer }).click(PATIENCE);
  await dialog(stage);
};
const movedProgram = {
  name: "wg-easy",
  startedBy: "container" as const,
  why: null,
  trouble: null,
  startedAt: AT,
  invited: [{ id: STOCKHOLM.id, username: "boris", displayName: "Борис" }],
  hasLinks: true,
};
const moved = async (stage: Stage, about: Partial<Api["GET /admin/servers/{id}/old-programs"]["answer"]["moved"]>) => {
  await say(stage.page, "GET /admin/servers/{id}/old-programs", {
    moved: { ...movedProgram, state: "done", ...about },
  });
  await find(stage);
};

export const adminInterfacesScreens: Screen[] = [
  { name: "admin-interfaces", who: "admin", open: interfaces },
  { name: "admin-interfaces-moderator", isVariant: true, who: "moderator", open: interfaces },
  {
    name: "admin-interfaces-unreachable",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const all = await read(page, "GET /admin/servers/interfaces");
      const since = new Date(Date.now() - 40 * 60_000).toISOString();
      const states = ["closed", "not_running", "answers"] as const;
      const told = all.map((row, place) => ({
        ...row,
        probe: { state: states[place % states.length] ?? "answers", since, fromInside: false },
      }));
      await say(page, "GET /admin/servers/interfaces", told);
      await interfaces(stage);
      await page.getByText(text.interfaces.states.unreachable).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interfaces-none",
    isVariant: true,
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
    isComposed: true,
    who: "admin",
    async open(stage) {
      // A cloud whose network carries less than its links say.
      const all = await read(stage.page, "GET /admin/servers");
      await say(
        stage.page,
        "GET /admin/servers",
        all.map((server) => ({ ...server, pathMtu: 1_450 })),
      );
      await interfaces(stage);
      await stage.page.getByRole("button", { name: stage.text.interfaces.list.create }).click(PATIENCE);
      await dialog(stage);
      await stage.page.getByLabel(stage.text.interfaces.edit.mtu).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interface-move-in",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await moveIn(stage);
    },
  },
  {
    name: "admin-interface-move-in-devices",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const { moveIn: words } = text.interfaces;
      const members = await read(page, "GET /users", { query: { limit: 2 } });
      const owners = members.map(({ id, username, displayName }) => ({ id, username, displayName }));
      const device = {
        hasPrivateKey: false,
        isEnabled: true,
        endsAt: null,
        suggestedUsername: "member-1",
        traffic: null,
        losesV6: false,
        strange: null,
        suggestedOwner: null,
      };
      await say(page, "POST /admin/servers/{id}/moving-in/preview", {
        publicKey: `${"k".repeat(43)}=`,
        subnet: "10.9.0.0/24",
        listenPort: 51820,
        mtu: 1420,
        amneziawg: {
          version: "2.0",
          faults: [
            { field: "S2", reason: "same_size_as_other", other: "S1" },
            { field: "S4", reason: "too_large", limit: 0 },
          ],
        },
        isTypeOpen: true,
        runsAs: null,
        givesWay: [],
        ignored: ["PostUp", "PostDown"],
        unread: [{ line: 17, field: "I1" }],
        devices: [
          {
            ...device,
            publicKey: `${"a".repeat(43)}=`,
            name: owners[0]?.username ?? "",
            suggestedName: "laptop",
            address: "10.9.0.2",
            losesV6: true,
            suggestedOwner: owners[0] ?? null,
          },
          {
            ...device,
            publicKey: `${"b".repeat(43)}=`,
            name: "телефон",
            suggestedName: "device-2",
            address: "10.9.0.3",
            hasPrivateKey: true,
            isEnabled: false,
            endsAt: "2026-12-31T20:59:59.000Z",
          },
          {
            ...device,
            publicKey: `${"c".repeat(43)}=`,
            name: "office",
            suggestedName: "office",
            address: null,
            strange: "networks",
          },
        ],
        owners: owners.map((owner) => ({ ...owner, isEntitled: false, configLimit: 3, configs: 1 })),
      });
      await moveIn(stage);
      await page.getByLabel(words.paste).fill("[Interface]", PATIENCE);
      await page.getByRole("button", { name: words.read }).click(PATIENCE);
      await page.getByText(words.cut(1)).waitFor(PATIENCE);
      await page.getByRole("region", { name: "office" }).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interface-find",
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/servers/{id}/old-programs", { moved: null });
      await find(stage);
      await stage.page.getByText(stage.text.oldProgram.comesWhat).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-found",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const program = { isRunning: true, removesItself: false, problem: null };
      const found = { subnet: "10.9.0.0/24", amneziawg: null, devices: 300 };
      const unread = refusalText("import.unreadable", "ru");
      await say(page, "GET /admin/servers/{id}/old-programs", { moved: null });
      await say(page, "POST /admin/servers/{id}/old-programs/find", {
        programs: [
          { ...program, name: "wg0", startedBy: "wg-quick", found },
          {
            ...program,
            name: "amnezia-awg",
            startedBy: "container",
            found: { ...found, amneziawg: "2.0", devices: 21 },
          },
          { ...program, name: "wg-easy", startedBy: "container", found, removesItself: true },
          {
            ...program,
            name: "wireguard-of-the-office-in-the-old-town",
            startedBy: "container",
            isRunning: false,
            found: null,
            problem: {
              code: "import.unreadable",
              ru: unread,
              en: refusalText("import.unreadable", "en"),
              said: null,
            },
          },
        ],
      });
      await find(stage);
      await page.getByRole("button", { name: text.oldProgram.search, exact: true }).click(PATIENCE);
      await page.getByText("amnezia-awg").scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interface-find-on-panel",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await moveIn(stage);
      await stage.page.getByText(stage.text.oldProgram.onServer, { exact: true }).click(PATIENCE);
      await stage.page.getByText("krug import", { exact: true }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-import-answering",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await moved(stage, { state: "answering" });
      await stage.page.getByText(stage.text.oldProgram.answering).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-import-done",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await moved(stage, {});
      await stage.page.getByText(stage.text.oldProgram.doneMore).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-import-back",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { oldProgram: words } = stage.text;
      await moved(stage, {});
      await stage.page.getByRole("button", { name: words.back }).click(PATIENCE);
      await stage.page.getByText(words.backText).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-import-stuck",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const told = (code: keyof typeof reasons, said: string | null = null) => ({ code, ...reasons[code], said });
      await moved(stage, {
        state: "leaving",
        why: told("import.silent"),
        trouble: told("machine.said", "Error response from daemon: driver failed programming external connectivity"),
      });
      await stage.page.getByText(stage.text.oldProgram.trouble).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-routed",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const words = stage.text.interfaces;
      await say(stage.page, "GET /admin/exits", { servers: [STOCKHOLM], links: [] });
      await interfaces(stage);
      await act(stage, "Interface 1", words.actions.edit);
      await stage.page.getByText(words.edit.routings.server, { exact: true }).click(PATIENCE);
      await stage.page.getByLabel(words.edit.restExit).selectOption(STOCKHOLM.id, PATIENCE);
      await stage.page.getByLabel(words.edit.exitDown).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interface-cannot-route",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const words = stage.text.interfaces;
      await interfaces(stage);
      const why = reasons["routing.no_kernel"][stage.language];
      const message = refusalText("interface.cannot_route", stage.language).replace("{reason}", why);
      const error = { code: "interface.cannot_route", message };
      const change = "PUT /admin/wireguard/{serverId}/interfaces/{id}";
      await intercept(stage.page, change, { status: 409, json: { error } });
      await act(stage, "Interface 1", words.actions.edit);
      await stage.page.getByText(words.edit.routings.server, { exact: true }).click(PATIENCE);
      await stage.page.getByRole("button", { name: stage.text.edit.save }).click(PATIENCE);
      await stage.page.getByRole("alert").getByText(/./).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interfaces-routed",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const list = await read(stage.page, "GET /admin/servers/interfaces");
      await say(
        stage.page,
        "GET /admin/servers/interfaces",
        list.map((one) => ({ ...one, routing: "server" as const })),
      );
      await interfaces(stage);
      await stage.page.getByText(stage.text.interfaces.list.routed).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-new-routed",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const words = stage.text.interfaces;
      await interfaces(stage);
      await stage.page.getByRole("button", { name: words.list.create }).click(PATIENCE);
      await stage.page.getByText(words.edit.routings.server, { exact: true }).click(PATIENCE);
      await stage.page.getByText(words.edit.restHints.direct).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interface-edit",
    isComposed: true,
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
    name: "admin-interface-amneziawg",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await interfaces(stage);
      await stage.page.getByRole("button", { name: stage.text.interfaces.list.create }).click(PATIENCE);
      const sheet = stage.page.getByRole("dialog");
      await sheet.getByText(stage.text.amneziawg.amneziawg, { exact: true }).click(PATIENCE);
      await sheet.getByLabel(stage.text.amneziawg.preset).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-parameters",
    who: "admin",
    async open(stage) {
      const { interfaces: words, amneziawg } = stage.text;
      await hidden(stage);
      await act(stage, "Interface 1", words.actions.edit);
      const sheet = stage.page.getByRole("dialog");
      await sheet.getByRole("button", { name: amneziawg.parameters }).click(PATIENCE);
      await sheet.getByLabel(/^Jmax/).fill("20");
      await sheet.getByLabel(/^H1/).fill("7");
      await sheet.getByText(amneziawg.groups.junk).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-interface-rotate",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await hidden(stage);
      await act(stage, "Interface 1", stage.text.amneziawg.rotate.action);
      await stage.page.getByLabel(stage.text.amneziawg.rotate.days).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-reach",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await hidden(stage);
      const step = 300;
      const to = Math.floor(Date.now() / (step * 1_000)) * step * 1_000;
      const from = to - 287 * step * 1_000;
      const points = Array.from({ length: 288 }, (_, place) => {
        const day = 31 + Math.round(6 * Math.sin(place / 45));
        return { at: new Date(from + place * step * 1_000).toISOString(), expected: 42, online: place > 274 ? 3 : day };
      });
      await say(page, "GET /admin/servers/interfaces/{id}/reach", {
        tunnel: { type: "amneziawg", version: "3.1" },
        step,
        from: new Date(from).toISOString(),
        to: new Date(to).toISOString(),
        points,
      });
      await act(stage, "Interface 1", text.interfaces.reach.action);
      await page.getByText(text.interfaces.reach.explained).waitFor(PATIENCE);
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
    name: "admin-interface-empty",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await interfaces(stage);
      await act(stage, "Interface 1", stage.text.servers.drain.action);
      await stage.page.getByText(stage.text.servers.drain.how).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-emptying",
    who: "admin",
    async open(stage) {
      const all = await read(stage.page, "GET /admin/servers/interfaces");
      const [from] = all;
      if (from === undefined) throw new Error("the sample has no interface");
      const of = { kind: "interface" as const, from, to: { id: STOCKHOLM.id, name: "Семья" }, by: "admin" };
      const far = {
        state: "running" as const,
        startedAt: AT,
        endedAt: null,
        total: 13,
        moved: 8,
        stayed: {},
        goesAt: null,
      };
      await say(stage.page, "GET /admin/servers/emptyings", [{ ...of, ...far }]);
      await say(stage.page, "GET /admin/servers/interfaces", [
        { ...from, takesNew: false, subnetV6: "fd3c:81::/64" },
        ...all.slice(1),
      ]);
      await interfaces(stage);
      await stage.page.getByText(stage.text.interfaces.closed).first().waitFor(PATIENCE);
      await stage.page.getByText(stage.text.servers.drain.by("admin")).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-interface-assign",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { interfaces: words } = stage.text;
      await interfaces(stage);
      await act(stage, "Семья", words.actions.assign);
      await stage.page.getByText("vera", { exact: true }).waitFor(PATIENCE);
    },
  },
];
