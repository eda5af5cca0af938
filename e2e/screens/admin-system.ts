import type { Api } from "@krug/contract/api";
import { whyOf } from "@krug/contract/reasons";
import { reason, reasonAt } from "@krug/domain/reasons";
import { inside } from "./admin-entry.ts";
import { fail, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

const quiet: Api["GET /admin/system"]["answer"] = {
  version: "1.0.0",
  node: "20.20.2",
  startedAt: "2026-11-18T06:12:00.000Z",
  securityGate: "on",
  geoServices: ["https://get.geojs.io/v1/ip/geo.json", "https://api.country.is/", "https://ipapi.co/json/"],
  localServer: "auto",
  database: { engine: "sqlite", size: 48_234_496, migration: "0101_audit_append_only", trouble: null, slowMs: null },
  clockDoubtedSince: null,
  newerPanel: null,
  backups: null,
  jobs: { waiting: 0, failing: 0, failed: 0, oldestDueAt: null, troubled: [] },
  servers: [
    {
      id: "7f0d5b52-6a55-4f4e-9a86-1f3e5c1d2b01",
      name: "Хельсинки",
      isMain: true,
      status: "connected",
      reason: null,
      why: null,
      unreachableSince: null,
      heldInterfaces: [],
      reconciledAt: new Date(Date.now() - 40_000).toISOString(),
    },
  ],
  local: { backend: "kernel", reason: null, why: null, problems: [], install: null },
};
const troubled: typeof quiet = {
  ...quiet,
  backups: {
    place: { kind: "sftp", address: "club@backup.example:/krug" },
    everyHours: 24,
    lastGoodAt: AN_HOUR_AGO,
    lastGoodPlace: { kind: "folder", address: "/srv/backups" },
    lastTriedAt: AN_HOUR_AGO,
    size: 1_204_224,
    problem: "",
    why: whyOf(
      reasonAt(
        "club@backup.example:/krug",
        reason("ssh.other_host_key", {
          shown: "SHA256:qDGNtvXXnAoLGO4qVQm3YgCQdOvMKaJ7pXYXzFmBbXk",
          known: "SHA256:0l2ZbyqZjPZcLnPzC4XeYVTqEcgQkHkVtIPYVgwfWJg",
        }),
      ),
    ),
    isLate: false,
  },
  jobs: {
    waiting: 14,
    failing: 3,
    failed: 1,
    oldestDueAt: AN_HOUR_AGO,
    troubled: [{ kind: "configs.apply", count: 4, lastError: "", why: whyOf(reason("server.no_answer")) }],
  },
  servers: quiet.servers.map((server) => ({
    ...server,
    status: "error",
    reason: "",
    why: whyOf(reason("program.failed", { program: "wg", code: 1 }, "Operation not permitted")),
    unreachableSince: AN_HOUR_AGO,
  })),
  local: {
    backend: "kernel",
    reason: null,
    why: null,
    problems: [{ code: "forwarding_blocked", detail: "", why: whyOf(reason("lack.forwarding")) }],
    install: null,
  },
};

const system = async (stage: Stage, state: typeof quiet = quiet) => {
  await say(stage.page, "GET /admin/system", state);
  await inside(stage, "system");
  await stage.page.getByText("SQLite").first().waitFor(PATIENCE);
};
/** One of the screen's other parts. */
const part = async (stage: Stage, section: "club" | "access" | "data", state: typeof quiet = quiet) => {
  const { settings, gate, backup } = stage.text.system;
  const first = { club: settings.zone, access: gate.mirror, data: backup.lead }[section];
  await say(stage.page, "GET /admin/system", state);
  await inside(stage, `system?section=${section}`);
  await stage.page.getByText(first).first().waitFor(PATIENCE);
};
const press = ({ page }: Stage, name: string) => page.getByRole("button", { name, exact: true }).click(PATIENCE);
const audit = async (stage: Stage, query = "") => {
  await inside(stage, `audit${query}`);
  await stage.page.getByText(stage.text.audit.list.forGood).waitFor(PATIENCE);
};
const entry = ({ page, text }: Stage, action: keyof Stage["text"]["audit"]["actions"]) =>
  page
    .getByRole("button", { name: new RegExp(text.audit.actions[action]) })
    .first()
    .click(PATIENCE);

const templates = async ({ page, text }: Stage) => {
  const panel = page.getByRole("region", { name: text.templates.title });
  await panel.getByRole("button", { name: text.templates.add }).scrollIntoViewIfNeeded(PATIENCE);
  return panel;
};
/** The dialog of one of the sample club's templates. */
const template = async (stage: Stage, act: string) => {
  await part(stage, "club");
  const actions = stage.text.staff.table.actions("Семья");
  await (await templates(stage)).getByRole("button", { name: actions }).click(PATIENCE);
  await stage.page.getByRole("menuitem", { name: act }).click(PATIENCE);
  await stage.page.getByRole("dialog").getByRole("button").last().waitFor(PATIENCE);
};

/** The screens of the system and of the audit log. */
export const adminSystemScreens: Screen[] = [
  { name: "admin-system", who: "admin", open: (stage) => system(stage) },
  { name: "admin-system-club", isVariant: true, who: "admin", open: (stage) => part(stage, "club") },
  { name: "admin-system-access", isComposed: true, who: "admin", open: (stage) => part(stage, "access") },
  { name: "admin-system-data", isVariant: true, who: "admin", open: (stage) => part(stage, "data") },
  {
    name: "admin-system-backups",
    who: "admin",
    async open(stage) {
      const place = { kind: "s3" as const, address: "s3.eu-central-1.example.com/club-backups/panel" };
      const backups = { ...troubled.backups!, place, lastGoodPlace: place, problem: null, why: null };
      await part(stage, "data", { ...quiet, backups });
      await stage.page.getByText(place.address).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-system-engine",
    who: "admin",
    async open(stage) {
      const install = "apt-get install -y wireguard-tools nftables iproute2";
      const problems = [
        { code: "not_root", detail: "", why: whyOf(reason("lack.not_root")) },
        {
          code: "no_programs",
          detail: "",
          why: whyOf(reason("lack.programs", { programs: "wg, ip, nft", count: 3, install })),
        },
      ];
      await system(stage, { ...quiet, local: { backend: "netstack", reason: null, why: null, problems, install } });
      await stage.page.getByText("iproute2").scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-system-troubled",
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /maintenance", { enabled: true, since: AN_HOUR_AGO });
      await system(stage, troubled);
    },
  },
  {
    name: "admin-system-editing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await part(stage, "club");
      await stage.page.getByLabel(stage.text.system.settings.grace).fill("12");
      await stage.page.getByLabel(stage.text.system.settings.mayInvites).check();
      await stage.page.getByRole("button", { name: stage.text.system.settings.save }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "admin-system-failed",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/system");
      await inside(stage, "system");
      await stage.page.getByText(stage.text.system.state.failed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-maintenance",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await system(stage);
      await press(stage, stage.text.system.maintenance.turnOn);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-backup",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await part(stage, "data");
      await press(stage, stage.text.system.backup.open);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-wipe",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await part(stage, "data");
      await press(stage, stage.text.system.wipe.open);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-wipe-running",
    who: "admin",
    async open(stage) {
      await part(stage, "data");
      await press(stage, stage.text.system.wipe.open);
      await stage.page
        .getByRole("dialog")
        .getByRole("button", { name: stage.text.system.wipe.confirm })
        .click(PATIENCE);
      await stage.page
        .getByText(stage.text.system.wipe.step(3, 9, stage.text.system.wipe.steps[2] ?? ""))
        .waitFor(PATIENCE);
    },
  },
  {
    name: "admin-system-superseded",
    who: "admin",
    async open(stage) {
      const newerPanel = { since: AN_HOUR_AGO, server: "Хельсинки", seenAt: AN_HOUR_AGO };
      await system(stage, { ...quiet, newerPanel });
      await stage.page.getByText(stage.text.system.newerPanel.back).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-templates",
    who: "admin",
    async open(stage) {
      await part(stage, "club");
      await (await templates(stage))
        .getByText(/Interface/)
        .first()
        .waitFor(PATIENCE);
    },
  },
  {
    name: "admin-templates-none",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/templates", []);
      await part(stage, "club");
      await (await templates(stage)).getByText(stage.text.templates.nobody).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-template-edit",
    isComposed: true,
    who: "admin",
    open: (stage) => template(stage, stage.text.templates.edit),
  },
  {
    name: "admin-template-problems",
    who: "admin",
    async open(stage) {
      const { form } = stage.text.templates;
      await part(stage, "club");
      await (await templates(stage)).getByRole("button", { name: stage.text.templates.add }).click(PATIENCE);
      const dialog = stage.page.getByRole("dialog");
      await dialog.getByLabel(form.limit).fill("-1", PATIENCE);
      await dialog.getByRole("button", { name: stage.text.edit.save }).click(PATIENCE);
      await dialog.getByText(form.limitWrong).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-template-delete",
    isVariant: true,
    who: "admin",
    open: (stage) => template(stage, stage.text.templates.remove),
  },
  { name: "admin-audit", who: "admin", open: (stage) => audit(stage) },
  { name: "admin-audit-moderator", isVariant: true, who: "moderator", open: (stage) => audit(stage) },
  {
    name: "admin-audit-past-end",
    isVariant: true,
    who: "admin",
    async open(stage) {
      // The panel does not send the length of a journal that is too long to count.
      await say(stage.page, "GET /admin/audit", []);
      await inside(stage, "audit?page=900");
      await stage.page.getByText(stage.text.staff.table.pastEnd).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-audit-nothing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "audit?to=2020-01-01");
      await stage.page.getByText(stage.text.audit.list.nothing).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-audit-entry",
    who: "admin",
    async open(stage) {
      await audit(stage, "?action=member.changed");
      await entry(stage, "member.changed");
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
];
