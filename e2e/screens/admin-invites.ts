import type { Api } from "@krug/contract/api";
import { inside } from "./admin-entry.ts";
import { read, refuse, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

type Code = Api["GET /admin/invite-codes"]["answer"][number];

const list = async (stage: Stage, query = "") => {
  await inside(stage, `invites${query}`);
  await stage.page
    .getByRole("link", { name: /^[A-Z2-9]{6}/ })
    .first()
    .waitFor(PATIENCE);
};
const codes = ({ page }: Stage, state: Code["state"]) => read(page, "GET /admin/invite-codes", { query: { state } });
const page = async (stage: Stage, state: Code["state"], fits: (code: Code) => boolean) => {
  const code = (await codes(stage, state)).find(fits);
  if (!code) throw new Error(`the sample club has no such code that is ${state}`);
  await inside(stage, `invites/${code.id}`);
  await stage.page.getByText(stage.text.staffInvites.page.joined).waitFor(PATIENCE);
  return code;
};
const form = async (stage: Stage) => {
  await inside(stage, "invites?add=code");
  await stage.page.getByLabel(stage.text.staffInvites.form.uses).waitFor(PATIENCE);
};

/** The staff screens for invite codes. */
export const adminInvitesScreens: Screen[] = [
  { name: "admin-invites", who: "admin", open: (stage) => list(stage) },
  { name: "admin-invites-moderator", isVariant: true, who: "moderator", open: (stage) => list(stage, "?state=active") },
  {
    name: "admin-invites-nothing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "invites?q=AAAAAA");
      await stage.page.getByText(stage.text.staffInvites.list.clear).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-invites-menu",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await list(stage, "?state=active");
      await stage.page
        .getByRole("button", { name: new RegExp(stage.text.staff.table.actions("")) })
        .first()
        .click(PATIENCE);
      await stage.page.getByRole("menu").waitFor(PATIENCE);
    },
  },
  { name: "admin-invites-form", who: "admin", open: form },
  {
    name: "admin-invites-problems",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await form(stage);
      const { form: words } = stage.text.staffInvites;
      await stage.page.getByLabel(words.uses).fill("0");
      await stage.page.getByLabel(words.days).fill("");
      await stage.page.getByRole("dialog").getByRole("checkbox").last().uncheck(PATIENCE);
      await stage.page.getByRole("dialog").getByRole("button", { name: words.make }).click(PATIENCE);
      await stage.page.getByText(words.interfacesMissing).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-invites-made",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const [code] = await codes(stage, "active");
      if (!code) throw new Error("the sample club has no active code");
      await say(stage.page, "POST /admin/invite-codes", code);
      await form(stage);
      const dialog = stage.page.getByRole("dialog");
      await dialog.getByRole("checkbox").last().check(PATIENCE);
      await dialog.getByRole("button", { name: stage.text.staffInvites.form.make }).click(PATIENCE);
      await stage.page.getByText(stage.text.staffInvites.made.lead).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-invite",
    who: "admin",
    open: async (stage) => void (await page(stage, "active", ({ currentUses }) => currentUses > 0)),
  },
  {
    name: "admin-invite-dead",
    isVariant: true,
    who: "moderator",
    open: async (stage) => void (await page(stage, "deactivated", () => true)),
  },
  {
    name: "admin-invite-edit",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { code } = await page(stage, "active", ({ currentUses }) => currentUses > 0);
      await stage.page.getByRole("button", { name: stage.text.staffInvites.actions.edit }).click(PATIENCE);
      await stage.page.getByRole("dialog", { name: stage.text.staffInvites.form.editTitle(code) }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-invite-deactivate",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await page(stage, "active", ({ currentUses }) => currentUses > 0);
      await stage.page.getByRole("button", { name: stage.text.staffInvites.actions.deactivate }).click(PATIENCE);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-invite-gone",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await refuse(stage, "GET /admin/invite-codes/{id}", "invite.not_found");
      await inside(stage, "invites/00000000-0000-4000-8000-000000000000");
      await stage.page.getByText(stage.text.staffInvites.page.toList).waitFor(PATIENCE);
    },
  },
];
