import type { Api } from "@krug/contract/api";
import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { amneziaFieldsOf } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { inside } from "./admin-entry.ts";
import { fail, intercept, read, say } from "./answers.ts";
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
const load = async (stage: Stage) => {
  const { history } = stage.text.servers;
  await servers(stage);
  await act(stage, "Хельсинки", history.action);
  await stage.page.getByText(history.gaps).waitFor(PATIENCE);
};
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
const catalog = async (stage: Stage) => {
  await inside(stage, "wireguard");
  await stage.page.getByText("Cloudflare").waitFor(PATIENCE);
};
/** The sample club's servers, with changes. */
const otherwise = async (stage: Stage, about: Partial<Api["GET /admin/servers"]["answer"][number]>) => {
  const all = await read(stage.page, "GET /admin/servers");
  await say(
    stage.page,
    "GET /admin/servers",
    all.map((server) => ({ ...server, ...about })),
  );
};

const SHOWN = `SHA256:${"k3Vq".repeat(10)}xYz`;
/** A rented machine next to the sample club's servers, before its set-up. */
const rented = async (stage: Stage, about: Partial<Api["GET /admin/servers"]["answer"][number]> = {}) => {
  const all = await read(stage.page, "GET /admin/servers");
  const machine = all.slice(0, 1).map((server) => ({
    ...server,
    id: "00000000-0000-4000-8000-000000000072",
    name: "Стокгольм",
    driver: "ssh" as const,
    credentials: { host: "203.0.113.24", port: 22, username: "root", hasPassword: true },
    fingerprint: `SHA256:${"p2QA".repeat(10)}9oL`,
    system: "Debian GNU/Linux 12 (bookworm)",
    defaultEndpoint: "203.0.113.24",
    needsSetup: true,
    tunnelsIn: "docker" as const,
    isSetupComplete: false,
    isMain: false,
    ...about,
  }));
  await say(stage.page, "GET /admin/servers", machine);
  await inside(stage, "servers");
  await stage.page.getByRole("heading", { name: "Стокгольм" }).waitFor(PATIENCE);
};
type Setup = Api["GET /admin/servers/{id}/setup"]["answer"];
const AT = "2026-11-22T11:31:41.000Z";
const LOG = [
  "#krug stage preflight",
  "Debian GNU/Linux 12 (bookworm), x86_64, Linux 6.1.0-28-amd64",
  "#krug stage packages",
  "#krug note waiting_for_lock 812 (unattended-upgr)",
  "#krug stage installing wireguard-tools nftables",
  "Get:1 http://mirror.example/debian bookworm/main amd64 wireguard-tools amd64 1.0.20210914-1+b1 [88.0 kB]",
  "Setting up wireguard-tools (1.0.20210914-1+b1) ...",
];
const STOCKHOLM = { id: "00000000-0000-4000-8000-000000000072", name: "Стокгольм" };
/** A server closed to new configs whose devices move, or have moved. */
const emptied = async (
  stage: Stage,
  about: Partial<Api["GET /admin/servers/emptyings"]["answer"][number]> & { state: "running" | "done" },
) => {
  const [server] = await read(stage.page, "GET /admin/servers");
  const from = { id: server?.id ?? "", name: server?.name ?? "" };
  await say(stage.page, "GET /admin/servers/emptyings", [
    {
      kind: "server",
      from,
      to: STOCKHOLM,
      by: "admin",
      startedAt: AT,
      endedAt: null,
      total: 412,
      moved: 0,
      stayed: {},
      goesAt: null,
      ...about,
    },
  ]);
  await otherwise(stage, { takesNew: false });
  await servers(stage);
  await stage.page.getByText(stage.text.servers.drain.closed).waitFor(PATIENCE);
  await stage.page
    .getByText(/405|120/)
    .first()
    .waitFor(PATIENCE);
};
/** The wizard with step 2 as given, and its log. */
const setUp = async (stage: Stage, second: Partial<Setup["steps"][number]>) => {
  const blank = { failure: null, detail: null, why: null, startedAt: null, endedAt: null };
  const setup: Setup = {
    isSetupComplete: false,
    tunnelsIn: "docker",
    whySystem: null,
    steps: [
      { ...blank, step: "docker", state: "success", startedAt: AT, endedAt: AT },
      { ...blank, step: "wireguard", state: "pending", ...second },
      { ...blank, step: "configure", state: "pending" },
    ],
  };
  const lines = LOG.map((text, index) => ({
    event: "line",
    data: { runId: "00000000-0000-4000-8000-000000000900", step: "wireguard", number: index + 1, at: AT, text },
  }));
  const events = [...lines, { event: "setup", data: setup }];
  await say(stage.page, "GET /admin/servers/{id}/setup", setup);
  await intercept(stage.page, "GET /admin/servers/{id}/setup/stream", {
    status: 200,
    media: "text/event-stream",
    body: Buffer.from(events.map(({ event, data }) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("")),
  });
  await rented(stage);
  await stage.page.getByRole("button", { name: stage.text.servers.setUpServer("Стокгольм") }).click(PATIENCE);
  await dialog(stage);
  await stage.page.getByRole("heading", { name: stage.text.serverSetup.steps.configure.title }).waitFor(PATIENCE);
};
/** Unknown devices after a restore, waiting for a decision. */
const unknown = async (stage: Stage) => {
  const [place] = await read(stage.page, "GET /admin/servers/interfaces");
  const [server] = await read(stage.page, "GET /admin/servers");
  const about = (number: number): Api["GET /admin/unknown-peers"]["answer"]["peers"][number] => ({
    id: `00000000-0000-4000-8000-00000000080${number}`,
    interface: { id: place?.id ?? "", name: place?.name ?? "" },
    server: { id: server?.id ?? "", name: server?.name ?? "" },
    publicKey: `k${number}VqW9xz`,
    address: `10.8.0.${20 + number}`,
    foundAt: AT,
    lastHandshakeAt: new Date(Date.now() - 40_000).toISOString(),
    received: 812 * 2 ** 20,
    sent: 31 * 2 ** 20,
    rival: null,
  });
  const rival = { by: "address" as const, name: "laptop", username: "marina" };
  await say(stage.page, "GET /admin/unknown-peers", {
    total: 3,
    peers: [about(1), { ...about(2), lastHandshakeAt: null, received: 0, sent: 0 }, { ...about(3), rival }],
  });
  await servers(stage);
  await stage.page.getByText(stage.text.unknownPeers.banner(3)).waitFor(PATIENCE);
};
const unknownList = async (stage: Stage) => {
  await unknown(stage);
  await stage.page.getByRole("button", { name: stage.text.unknownPeers.show }).click(PATIENCE);
  await dialog(stage);
  await stage.page.getByText("10.8.0.23").waitFor(PATIENCE);
};
const adding = async (stage: Stage) => {
  await servers(stage);
  await stage.page.getByRole("button", { name: stage.text.servers.add.action }).click(PATIENCE);
  await dialog(stage);
};

/** Oracle's image, with its default firewall. */
const closed = async (stage: Stage) => {
  const all = await read(stage.page, "GET /admin/servers");
  const since = new Date(Date.now() - 12 * 60_000).toISOString();
  const cause = {
    by: "iptables" as const,
    chain: "iptables-nft FORWARD",
    rule: "-A FORWARD -j REJECT --reject-with icmp-host-prohibited",
    ways: ["out" as const, "back" as const],
    families: [4 as const],
    isSure: true,
    opening:
      "iptables -I FORWARD -i wg0 -j ACCEPT\niptables -I FORWARD -o wg0 -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT",
  };
  await say(
    stage.page,
    "GET /admin/servers",
    all.map((server) => ({
      ...server,
      forwarding: { state: "refused" as const, since, causes: [cause], failure: null, why: null },
    })),
  );
  await servers(stage);
  await stage.page.getByText(stage.text.servers.forwarding.title.refused).first().waitFor(PATIENCE);
};

/** Servers, interfaces and the catalogue. */
export const adminServersScreens: Screen[] = [
  { name: "admin-servers", who: "admin", open: servers },
  { name: "admin-servers-closed", who: "admin", open: closed },
  {
    name: "admin-servers-away",
    who: "admin",
    async open(stage) {
      await otherwise(stage, {
        status: "error",
        why: whyOf(reason("ssh.silent", {}, "connect ETIMEDOUT 198.51.100.7")),
        errorSince: new Date(Date.now() - 17 * 60_000).toISOString(),
      });
      await fail(stage.page, "GET /admin/servers/{id}/refresh");
      await inside(stage, "servers");
      await stage.page.getByText("ETIMEDOUT").waitFor(PATIENCE);
      await stage.page.getByText(stage.text.servers.statsFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-servers-behind-nat",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await otherwise(stage, { endpoint: null, defaultEndpoint: null });
      await inside(stage, "servers");
      await stage.page.getByText(stage.text.servers.endpointAsked).first().waitFor(PATIENCE);
    },
  },
  { name: "admin-servers-unknown", who: "admin", open: unknown },
  { name: "admin-unknown-peers", who: "admin", open: unknownList },
  {
    name: "admin-unknown-peer-keep",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { keepOf, keepTitle, keep, chooseOwner } = stage.text.unknownPeers;
      await unknownList(stage);
      await stage.page.getByRole("button", { name: keepOf("10.8.0.21") }).click(PATIENCE);
      const asked = stage.page.getByRole("dialog", { name: keepTitle("10.8.0.21") });
      await asked.getByRole("button", { name: keep }).click(PATIENCE);
      await asked.getByText(chooseOwner).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-unknown-peers-cut",
    who: "admin",
    async open(stage) {
      const { cutAll, askAll } = stage.text.unknownPeers;
      await unknownList(stage);
      await stage.page.getByRole("button", { name: cutAll(3) }).click(PATIENCE);
      await stage.page.getByRole("dialog", { name: askAll(3) }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-servers-none",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/servers", []);
      await inside(stage, "servers");
      await stage.page.getByText(stage.text.servers.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-servers-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/servers");
      await inside(stage, "servers");
      await stage.page.getByText(stage.text.servers.failed).waitFor(PATIENCE);
    },
  },
  { name: "admin-server-add", who: "admin", open: adding },
  {
    name: "admin-server-add-key",
    who: "admin",
    async open(stage) {
      await adding(stage);
      await stage.page.getByText(stage.text.servers.add.byKey, { exact: true }).click(PATIENCE);
      await stage.page.getByText(/authorized_keys/).waitFor(PATIENCE);
    },
  },
  { name: "admin-server-rented", who: "admin", open: (stage) => rented(stage) },
  {
    name: "admin-server-other-key",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await rented(stage, {
        status: "error",
        problem: "host_key_changed",
        errorSince: AT,
        shownFingerprint: SHOWN,
      });
      await stage.page.getByText(SHOWN).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-unproved",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await rented(stage, { status: "error", problem: "unproved_restore", errorSince: AT });
      await stage.page.getByText(stage.text.servers.problems.unproved_restore).waitFor(PATIENCE);
    },
  },
  { name: "admin-server-setup", who: "admin", open: (stage) => setUp(stage, {}) },
  {
    name: "admin-server-setup-runs",
    who: "admin",
    async open(stage) {
      await setUp(stage, { state: "running", startedAt: AT });
      await stage.page.getByText("Setting up wireguard-tools").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-setup-failed",
    who: "admin",
    async open(stage) {
      await setUp(stage, {
        state: "error",
        failure: "package_lock",
        why: whyOf(reason("machine.said", {}, "812 (unattended-upgr)")),
        startedAt: AT,
        endedAt: AT,
      });
      await stage.page.getByText("Setting up wireguard-tools").waitFor(PATIENCE);
    },
  },
  { name: "admin-server-history", who: "admin", open: load },
  {
    name: "admin-server-history-month",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await load(stage);
      await stage.page.getByText(stage.text.servers.history.month).click(PATIENCE);
      await stage.page.getByRole("heading", { name: stage.text.servers.history.cpu }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-history-none",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const nothing = { step: 300, from: "2026-11-21T12:00:00.000Z", to: "2026-11-22T11:55:00.000Z", points: [] };
      await say(stage.page, "GET /admin/servers/{id}/history", nothing);
      await servers(stage);
      await act(stage, "Хельсинки", stage.text.servers.history.action);
      await stage.page.getByText(stage.text.servers.history.none).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-empty",
    who: "admin",
    async open(stage) {
      const { drain: words } = stage.text.servers;
      const targets = [
        { id: STOCKHOLM.id, name: STOCKHOLM.name, server: null, status: "connected" as const, free: 31, capacity: 253 },
      ];
      const plan = { devices: 38, members: 22, keysInBrowser: 3, assigned: 4, targets };
      await say(stage.page, "GET /admin/servers/{id}/emptying", plan);
      await otherwise(stage, { configCount: 38 });
      await servers(stage);
      await act(stage, "Хельсинки", words.action);
      await stage.page.getByText(words.how).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-emptying",
    who: "admin",
    open: (stage) => emptied(stage, { state: "running", moved: 120 }),
  },
  {
    name: "admin-server-emptied",
    isVariant: true,
    who: "admin",
    open: (stage) => emptied(stage, { state: "done", moved: 405, stayed: { key_in_browser: 5, full: 2 } }),
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
  { name: "admin-interfaces-moderator", isVariant: true, who: "moderator", open: interfaces },
  {
    name: "admin-interfaces-unreachable",
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
    name: "admin-interface-amneziawg",
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
  { name: "admin-catalog", who: "admin", open: catalog },
  { name: "admin-catalog-moderator", isVariant: true, who: "moderator", open: catalog },
  {
    name: "admin-catalog-nothing",
    isVariant: true,
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
      await stage.page.getByText(words.edit.wrong.service.other("999.1.1.1")).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-fits",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      await catalog(stage);
      await stage.page.getByRole("button", { name: words.addService }).click(PATIENCE);
      const list = Array.from({ length: 160 }, (_, n) => `142.250.${n}.${n % 2 === 0 ? "0/25" : "64/26"}`);
      await stage.page.getByLabel(words.edit.ips).fill(list.join("\n"));
      const [beforeCount = ""] = words.edit.fit(120).split("120");
      await stage.page.getByRole("button", { name: beforeCount }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-service-sources",
    who: "admin",
    async open(stage) {
      const { catalog: words } = stage.text;
      const source = {
        id: "00000000-0000-4000-8000-000000000950",
        source: "https://lists.example.org/messengers/networks-of-all-kinds.txt",
        networks: 203,
        unread: 0,
        goodAt: AT,
        failingSince: null,
        why: null,
        held: false,
        waiting: null,
      };
      const late = {
        ...source,
        id: "00000000-0000-4000-8000-000000000951",
        source: "https://video.example/ranges.json",
      };
      const why = { code: "web.status", ru: "ответ 503", en: "answer 503", said: null };
      const [lost, gained] = [["142.250.0.0/16", "172.217.0.0/16", "2a00:1450::/29"], ["216.58.192.0/19"]];
      const waiting = { since: AT, networks: 201, mark: "", gained, lost };
      const standing = [
        { ...source, waiting },
        { ...late, networks: 1_204, unread: 3, failingSince: AT, why },
      ];
      await say(stage.page, "GET /services/{id}/sources", standing);
      const sources = standing.map((one) => one.source);
      await say(stage.page, "GET /services/{id}/typed", { text: "", allBut: false, sources, mark: "" });
      await catalog(stage);
      await act(stage, "Весь трафик", words.actions.edit);
      await stage.page.getByRole("button", { name: words.sources.now }).scrollIntoViewIfNeeded(PATIENCE);
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
