import { refusalText } from "@krug/contract/refusals";
import { inside, offered, pasteCode, toEntry, twoFactor } from "./admin-entry.ts";
import { fail, read, refuse, say } from "./answers.ts";
import { memberWithPasskeys, underAName } from "./passkeys.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const LINK = "https://club.example/password#user=boris&token=Fm3yTqvH0sB1c7Zr5Lk2Wd9XpJ4aE8uN6gQoVi0RhSt";

const list = async (stage: Stage, query = "") => {
  await inside(stage, `users${query}`);
  await stage.page.getByRole("link", { name: /Марина/ }).waitFor(PATIENCE);
};
const act = async (stage: Stage, action: keyof Stage["text"]["users"]["actions"]) => {
  const { page, text } = stage;
  await list(stage);
  await page.getByRole("button", { name: text.staff.table.actions("Нина Островская") }).click(PATIENCE);
  await page.getByRole("menuitem", { name: text.users.actions[action] }).click(PATIENCE);
  await page.getByRole("dialog").waitFor(PATIENCE);
};
const choose = async (stage: Stage) => {
  const { page, text } = stage;
  await list(stage);
  for (const name of ["Антон Королёв", "Нина Островская"])
    await page.getByRole("checkbox", { name: text.staff.table.selectOne(name) }).check(PATIENCE);
};
const button = ({ page }: Stage, name: string) => page.getByRole("button", { name, exact: true }).click(PATIENCE);

const more = async (stage: Stage, menu: string, item: string) => {
  await button(stage, menu);
  await stage.page.getByRole("menuitem", { name: item }).click(PATIENCE);
};
const groups = (stage: Stage) => more(stage, stage.text.users.list.more, stage.text.users.list.groups);

const chooseFile = async (stage: Stage, text: string) => {
  const { page, text: words } = stage;
  await list(stage);
  await more(stage, words.users.list.more, words.users.list.fromFile);
  await page.getByRole("button", { name: words.fromFile.choose }).waitFor(PATIENCE);
  if (text === "") return;
  const file = { name: "Участники клуба.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator("input[type=file]").setInputFiles(file, PATIENCE);
};
const FILE =
  "Логин;Участник;Роль;Подписка до;Состояние\r\nanna-k;Анна Каренина;Админ;31.12.2031;Активен\r\nmarina;Марина;;;\r\n";

const TODAY = `${new Date().toISOString().slice(0, 10)}T00:02:00.000Z`;
const ALARMS = {
  servers: [{ id: "00000000-0000-4000-8000-000000000040", name: "Хельсинки", since: TODAY }],
  exits: [{ id: "00000000-0000-4000-8000-000000000041", name: "Этот сервер → Рига", since: TODAY }],
  backupLateSince: "2026-11-20T04:00:00.000Z",
  maintenanceSince: TODAY,
  claims: 12,
  conversations: 7,
};

/** The screens of members and of the second factor, and, from their own files, those of the other sections. */
export const adminUsersScreens: Screen[] = [
  { name: "admin-entry", isComposed: true, who: "admin", open: (stage) => toEntry(stage) },
  {
    name: "admin-entry-wrong",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "POST /totp/{id}/verify", { valid: false, retryAfter: 0, token: null });
      await toEntry(stage);
      await pasteCode(stage);
      await stage.page.getByText(stage.text.staff.twoFactor.wrong).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-entry-passkey",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await toEntry(stage, twoFactor({ byPasskey: true }));
      await underAName(page);
      // The dialog looks again at the next letter.
      await page.keyboard.type("1");
      await page.getByRole("button", { name: text.passkeys.enter }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-entry-locked",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await toEntry(stage, twoFactor({ retryAfter: 600 }));
      await stage.page.getByRole("timer").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-alarms",
    who: "admin",
    async open(stage) {
      const { page } = stage;
      await say(page, "GET /admin/alarms", ALARMS);
      await list(stage);
      await page.getByRole("button", { name: /^(Требует внимания|Needs attention)/ }).click(PATIENCE);
      await page.getByRole("menu").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-entry-recovery",
    isComposed: true,
    who: "moderator",
    async open(stage) {
      await toEntry(stage);
      await button(stage, stage.text.staff.twoFactor.byRecovery);
      await stage.page.getByLabel(stage.text.staff.twoFactor.recoveryLabel).waitFor(PATIENCE);
    },
  },
  { name: "admin-set-up", who: "admin", open: (stage) => toEntry(stage, offered) },
  {
    name: "admin-recovery-codes",
    who: "admin",
    async open(stage) {
      const codes =
        "4cq4-6zfr 6mpe-dmvc k3ap-ng7p pkjy-uxrt gsjs-csgb 7hg3-n5vh xe2y-s5hd c8mj-nvm8 b6wv-mprs 9a56-m7zc";
      const answer = { success: true, recoveryCodes: codes.split(" "), token: "next" } as const;
      await say(stage.page, "POST /totp/{id}/enable", answer);
      await toEntry(stage, offered);
      await pasteCode(stage);
      await stage.page.getByText(stage.text.staff.twoFactor.codesTitle).waitFor(PATIENCE);
    },
  },
  { name: "admin-users", who: "admin", open: (stage) => list(stage, "?sort=monthBytes&order=desc") },
  { name: "admin-users-moderator", isVariant: true, who: "moderator", open: (stage) => list(stage) },
  {
    name: "admin-users-as-moderator",
    who: "admin",
    async open(stage) {
      const told = await stage.page.addInitScript(() => {
        sessionStorage.setItem("krug.viewed-role", "moderator");
      });
      stage.afterwards.push(() => told.dispose());
      await list(stage);
      await stage.page.getByText(stage.text.staff.frame.viewNote).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-users-menu",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await list(stage);
      await button(stage, stage.text.staff.table.actions("Марина"));
      await stage.page.getByRole("menu").waitFor(PATIENCE);
    },
  },
  { name: "admin-users-chosen", isComposed: true, who: "admin", sizes: ["desktop"], open: choose },
  {
    name: "admin-users-nobody",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "users?q=zzz");
      await stage.page.getByText(stage.text.users.list.clear).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-users-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /users");
      await inside(stage);
      await stage.page.getByText(stage.text.users.list.failed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-sections",
    who: "admin",
    sizes: ["phone"],
    async open(stage) {
      await list(stage);
      await button(stage, stage.text.staff.frame.openMenu);
      await stage.page.getByRole("dialog", { name: stage.text.staff.frame.sections }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-guide",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const steps = { server: true, endpoint: true, catalog: true, code: false, member: false, telegram: false };
      await say(page, "GET /admin/guide", { steps });
      await list(stage);
      await page.getByRole("region", { name: text.staffGuide.title }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-member-notes",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const by = { id: "00000001-0000-4000-8000-000000000001", username: "admin", displayName: "Администратор" };
      const about = { by, createdAt: new Date(Date.now() - 7_200_000).toISOString() };
      await say(page, "GET /admin/users/{id}/notes", [
        { ...about, id: by.id, content: "Просила счёт на компанию.\nПлатит со счёта мужа.", mayDelete: true },
        {
          ...about,
          id: "00000001-0000-4000-8000-000000000002",
          content: "Звонила в пятницу.",
          by: null,
          mayDelete: false,
        },
      ]);
      await inside(stage, "users/marina");
      const notes = page.getByRole("region", { name: text.notes.title });
      await notes.getByText(/пятницу/).waitFor(PATIENCE);
      await notes.scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-palette",
    who: "admin",
    async open(stage) {
      await list(stage);
      await button(stage, stage.text.staff.frame.search);
      const palette = stage.page.getByRole("dialog");
      await palette.getByRole("combobox").fill("ан");
      await palette.getByRole("option", { name: /Анто/ }).first().waitFor(PATIENCE);
    },
  },
  {
    name: "admin-leave",
    who: "admin",
    async open(stage) {
      const staff = await read(stage.page, "GET /users", { query: { role: "moderator" } });
      await inside(stage, `users/${staff[0]?.username}`);
      await button(stage, stage.text.staff.table.actions(staff[0]?.displayName ?? ""));
      await stage.page.getByRole("menuitem", { name: stage.text.users.actions.leave }).click(PATIENCE);
      await stage.page.getByRole("dialog").getByRole("checkbox").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-add",
    who: "admin",
    async open(stage) {
      await inside(stage, "users?add=member");
      await button(stage, stage.text.users.add.submit);
      await stage.page.getByText(stage.text.users.add.usernameWrong).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-added",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const [user] = await read(page, "GET /users", { query: { q: "nina" } });
      if (!user) throw new Error("the sample club has no nina");
      await say(page, "POST /users", {
        user,
        link: LINK,
        expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      });
      await inside(stage, "users?add=member");
      await page.getByLabel(text.users.add.username, { exact: true }).fill("nina2");
      await button(stage, text.users.add.submit);
      await page.getByText(LINK).waitFor(PATIENCE);
    },
  },
  { name: "admin-edit", who: "admin", open: (stage) => act(stage, "edit") },
  { name: "admin-extend-one", isComposed: true, who: "admin", open: (stage) => act(stage, "extend") },
  { name: "admin-password-link", isComposed: true, who: "admin", open: (stage) => act(stage, "passwordLink") },
  { name: "admin-block", isComposed: true, who: "admin", open: (stage) => act(stage, "block") },
  { name: "admin-delete", isComposed: true, who: "admin", open: (stage) => act(stage, "remove") },
  {
    name: "admin-groups",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await list(stage);
      await groups(stage);
      await stage.page.getByRole("dialog").getByRole("link", { name: "Коллеги" }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-groups-none",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await say(stage.page, "GET /admin/groups", []);
      await list(stage);
      await groups(stage);
      await stage.page.getByText(stage.text.groups.nobody).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-group",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await list(stage);
      await groups(stage);
      await button(stage, text.groups.add);
      await page.getByRole("button", { name: text.edit.save }).click(PATIENCE);
      await page.getByText(text.groups.form.nameEmpty).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-group-delete",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await list(stage);
      await groups(stage);
      await button(stage, text.staff.table.actions("Семья"));
      await page.getByRole("menuitem", { name: text.groups.remove }).click(PATIENCE);
      await page.getByText(text.groups.deletion.title("Семья")).waitFor(PATIENCE);
    },
  },
  { name: "admin-from-file", isVariant: true, who: "admin", open: (stage) => chooseFile(stage, "") },
  {
    name: "admin-from-file-wrong",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const people = "Антон Королёв с очень длинным именем;завтра;много;Соседи по даче\r\n";
      const lines = ["a", "anna-k", "anna-k"].map((login) => `${login};${people}`);
      await chooseFile(stage, `Логин;Участник;Подписка до;Лимит конфигов;Группы\r\n${lines.join("")}`);
      await stage.page.getByText(stage.text.fromFile.wrong(11)).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-from-file-seen",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await chooseFile(stage, FILE);
      await stage.page.getByText(stage.text.fromFile.newcomers).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-from-file-links",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const expiresAt = new Date(Date.now() + 14 * 86_400_000).toISOString();
      const people = Array.from({ length: 34 }, (_, n) => ({
        username: `anna-${n}`,
        displayName: `Анна Каренина ${n}`,
      }));
      const invited = people.map((one, n) => ({
        ...one,
        id: `00000000-0000-4000-8000-0000000000${10 + n}`,
        link: LINK,
        expiresAt,
      }));
      await say(page, "POST /admin/users/import", { invited });
      await chooseFile(stage, FILE);
      await button(stage, text.fromFile.add(1));
      await page.getByText("Анна Каренина 7", { exact: true }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-groups-of",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "users/marina");
      await button(stage, stage.text.groups.of.edit);
      await stage.page.getByRole("dialog").getByRole("checkbox", { name: "Семья" }).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-group-choice",
    isComposed: true,
    who: "admin",
    sizes: ["desktop"],
    async open(stage) {
      await choose(stage);
      await more(stage, stage.text.users.bulk.more, stage.text.users.bulk.groups);
      await stage.page.getByRole("dialog").getByRole("combobox").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-limit",
    isVariant: true,
    who: "admin",
    sizes: ["desktop"],
    async open(stage) {
      await choose(stage);
      await more(stage, stage.text.users.bulk.more, stage.text.users.bulk.changeLimit);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-write",
    isComposed: true,
    who: "admin",
    sizes: ["desktop"],
    async open(stage) {
      await choose(stage);
      await button(stage, stage.text.users.bulk.write);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-extend",
    who: "admin",
    sizes: ["desktop"],
    async open(stage) {
      await choose(stage);
      await button(stage, stage.text.users.actions.extend);
      await stage.page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-member",
    who: "admin",
    async open(stage) {
      await inside(stage, "users/marina");
      await stage.page.getByText("iphone-marina").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-member-quota",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      const file = await read(page, "GET /admin/users/{id}", { params: { id: "marina" } });
      const GB = 1024 ** 3;
      const quota = {
        bytes: 50 * GB,
        used: 12.4 * GB,
        atEnd: "cut",
        slowMbit: null,
        resetsAt: "2099-12-01T00:00:00.000+03:00",
      } as const;
      await say(page, "GET /admin/users/{id}", { ...file, quota, member: { ...file.member, quotaBytes: quota.bytes } });
      await inside(stage, "users/marina");
      await button(stage, text.users.quota.reset);
      await page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-member-passkeys",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      await memberWithPasskeys(page, "marina");
      await inside(stage, "users/marina");
      await button(stage, text.users.actions.resetPasskeys);
      await page.getByRole("dialog").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-hand-over",
    isComposed: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "users/marina");
      await button(stage, stage.text.users.handOver.open);
      await stage.page.getByRole("dialog").getByLabel(stage.text.create.name).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-handed-over",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      const [config] = await read(page, "GET /vpn/configs/{id}", { params: { id: "marina" } });
      if (!config) throw new Error("marina has no config");
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const link = LINK.replace("password?", "config#");
      await say(page, "POST /users/{id}/configs", { config, link, expiresAt });
      await inside(stage, "users/marina");
      await button(stage, text.users.handOver.open);
      await button(stage, text.users.handOver.make);
      await page.getByText(link).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-handed-over-waits",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      const configs = await read(page, "GET /vpn/configs/{id}", { params: { id: "marina" } });
      const ends = [new Date(Date.now() + 86_400_000).toISOString(), null];
      await say(
        page,
        "GET /vpn/configs/{id}",
        configs.map((config, at) => ({ ...config, handOver: at < 2 ? { linkUntil: ends[at] ?? null } : null })),
      );
      await inside(stage, "users/marina");
      await page.getByRole("button", { name: text.users.handOver.revoke }).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "admin-member-gone",
    isComposed: true,
    who: "moderator",
    async open(stage) {
      await refuse(stage, "GET /admin/users/{id}", "member.not_found");
      await inside(stage, "users/marina");
      await stage.page.getByText(stage.text.users.page.toList).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-password",
    who: "admin",
    async open(stage) {
      await refuse(stage, "GET /totp/{id}/status", "auth.password_required");
      await refuse(stage, "POST /auth/confirm-password", "password.wrong_current");
      await stage.page.goto("/admin/users");
      await stage.page.getByLabel(stage.text.account.password, { exact: true }).fill("a guess", PATIENCE);
      await button(stage, stage.text.staff.confirmPassword.confirm);
      await stage.page.getByText(refusalText("password.wrong_current", stage.language)).waitFor(PATIENCE);
    },
  },
  { name: "admin-two-factor", isComposed: true, who: "moderator", open: (stage) => inside(stage, "2fa") },
  { name: "admin-two-factor-off", who: "admin", open: (stage) => inside(stage, "2fa", offered) },
  {
    name: "admin-two-factor-disable",
    who: "admin",
    async open(stage) {
      await inside(stage, "2fa");
      await button(stage, stage.text.staff.twoFactor.disable);
      await stage.page.getByText(stage.text.staff.twoFactor.disableTitle).waitFor(PATIENCE);
    },
  },
];
