import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { inside } from "./admin-entry.ts";
import { fail, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const open = async (stage: Stage, query = "") => {
  await inside(stage, `rules${query}`);
  await stage.page
    .getByText(query.includes("whitelist") ? "bank.example" : "tracker.example")
    .first()
    .waitFor(PATIENCE);
};
const pick = async ({ page, text }: Stage, label: string, name: string) => {
  await page.getByRole("combobox", { name: label }).fill(name);
  await page
    .getByRole("option", { name: new RegExp(name) })
    .first()
    .click(PATIENCE);
  await page.getByText(text.memberField.searching).waitFor({ state: "hidden" });
};
const check = async (stage: Stage, name: string, place: string) => {
  const { page, text } = stage;
  await open(stage);
  await pick(stage, text.rules.check.member, name);
  await page.getByLabel(text.rules.check.place).fill(place);
  await page.getByRole("button", { name: text.rules.check.submit, exact: true }).click(PATIENCE);
  const panel = page.getByRole("region", { name: text.rules.check.title });
  await panel.getByText(name).last().waitFor(PATIENCE);
  await panel.getByText(text.rules.check.working).waitFor({ state: "hidden" });
  await panel.scrollIntoViewIfNeeded();
};

/** Access rules: the lists, their dialogs, and the results of checks. */
export const adminRulesScreens: Screen[] = [
  { name: "admin-rules", who: "admin", open: (stage) => open(stage) },
  {
    name: "admin-rules-whitelist",
    isComposed: true,
    who: "admin",
    sizes: ["phone"],
    open: (stage) => open(stage, "?list=whitelist"),
  },
  { name: "admin-rules-moderator", isVariant: true, who: "moderator", open: (stage) => open(stage) },
  {
    name: "admin-rules-empty",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/rules", []);
      await inside(stage, "rules");
      await stage.page.getByText(stage.text.rules.empty.blacklist).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/rules");
      await fail(stage.page, "GET /admin/rules/servers");
      await inside(stage, "rules");
      await stage.page.getByText(stage.text.rules.failed).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-waiting",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/rules/servers", [
        {
          id: "00000000-0000-4000-8000-000000000001",
          name: "Хельсинки",
          state: "in_force",
          appliedAt: new Date(Date.now() - 120_000).toISOString(),
          reason: null,
          why: null,
        },
        {
          id: "00000000-0000-4000-8000-000000000002",
          name: "Амстердам",
          state: "pending",
          appliedAt: null,
          reason: "",
          why: whyOf(reason("ssh.silent", {}, "connect ETIMEDOUT 203.0.113.9:22")),
        },
      ]);
      await open(stage);
      await stage.page.getByText(stage.text.rules.servers.pending).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-add",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "rules?add=rule");
      const dialog = stage.page.getByRole("dialog");
      await dialog.getByLabel(stage.text.rules.form.target).fill("example.org", PATIENCE);
    },
  },
  {
    name: "admin-rules-add-selected",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "rules?add=rule");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(text.rules.form.target).fill("0.0.0.0/0", PATIENCE);
      await dialog.getByText(text.rules.form.selected, { exact: true }).click();
      await pick(stage, text.rules.form.member, "Вера");
      await pick(stage, text.rules.form.member, "Глеб Шувалов");
      await page.getByRole("combobox", { name: text.rules.form.member }).fill("ан");
      await page.getByRole("option").first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-refused",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "rules?add=rule");
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(text.rules.form.target).fill("192.168.0.0/16", PATIENCE);
      await dialog.getByRole("button", { name: text.rules.form.create, exact: true }).click();
      await dialog.getByText(text.rules.form.failed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-members",
    who: "admin",
    async open(stage) {
      await open(stage);
      await stage.page.getByRole("button", { name: `${stage.text.rules.selected}: 3` }).click(PATIENCE);
      await stage.page.getByRole("dialog").getByText("Глеб Шувалов").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-addresses",
    who: "admin",
    async open(stage) {
      await open(stage);
      await stage.page.getByTitle(stage.text.rules.domain.show("tracker.example")).click(PATIENCE);
      await stage.page.getByRole("dialog").getByText("203.0.113.41").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-rules-delete",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await open(stage);
      await stage.page.getByRole("button", { name: stage.text.rules.remove("tracker.example") }).click(PATIENCE);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  { name: "admin-rules-check", who: "admin", open: (stage) => check(stage, "Вера", "203.0.113.80") },
  {
    name: "admin-rules-check-partly",
    isVariant: true,
    who: "admin",
    open: (stage) => check(stage, "Вера", "mirror.example"),
  },
  {
    name: "admin-rules-check-off",
    isVariant: true,
    who: "moderator",
    open: (stage) => check(stage, "Олег", "bank.example"),
  },
];
