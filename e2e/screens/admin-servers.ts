import type { Api } from "@krug/contract/api";
import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { act, dialog } from "./act.ts";
import { inside } from "./admin-entry.ts";
import { fail, intercept, read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

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
export const AT = "2026-11-22T11:31:41.000Z";
const LOG = [
  "#krug stage preflight",
  "Debian GNU/Linux 12 (bookworm), x86_64, Linux 6.1.0-28-amd64",
  "#krug stage packages",
  "#krug note waiting_for_lock 812 (unattended-upgr)",
  "#krug stage installing wireguard-tools nftables",
  "Get:1 http://mirror.example/debian bookworm/main amd64 wireguard-tools amd64 1.0.20210914-1+b1 [88.0 kB]",
  "Setting up wireguard-tools (1.0.20210914-1+b1) ...",
];
export const STOCKHOLM = { id: "00000000-0000-4000-8000-000000000072", name: "Стокгольм" };
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
    isVariant: true,
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
  { name: "admin-servers-unknown", isComposed: true, who: "admin", open: unknown },
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
    isVariant: true,
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
  { name: "admin-server-add", isComposed: true, who: "admin", open: adding },
  {
    name: "admin-server-add-key",
    who: "admin",
    async open(stage) {
      await adding(stage);
      await stage.page.getByText(stage.text.servers.add.byKey, { exact: true }).click(PATIENCE);
      await stage.page.getByText(/authorized_keys/).waitFor(PATIENCE);
    },
  },
  { name: "admin-server-rented", isComposed: true, who: "admin", open: (stage) => rented(stage) },
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
    isVariant: true,
    who: "admin",
    async open(stage) {
      await setUp(stage, { state: "running", startedAt: AT });
      await stage.page.getByText("Setting up wireguard-tools").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-server-setup-failed",
    isComposed: true,
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
    isComposed: true,
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
    isComposed: true,
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
    isComposed: true,
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
    isComposed: true,
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
];
