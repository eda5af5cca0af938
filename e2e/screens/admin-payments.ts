import { inside } from "./admin-entry.ts";
import { fail, read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const list = async (stage: Stage, query = "") => {
  await inside(stage, `payments${query}`);
  await stage.page.getByRole("link", { name: /Нина Островская/ }).waitFor(PATIENCE);
};
const act = async (stage: Stage, name: string, action: keyof Stage["text"]["staffPayments"]["actions"]) => {
  const { page, text } = stage;
  await list(stage);
  await page.getByRole("button", { name: text.staff.table.actions(name) }).click(PATIENCE);
  await page.getByRole("menuitem", { name: text.staffPayments.actions[action] }).click(PATIENCE);
  await page.getByRole("dialog").waitFor(PATIENCE);
};
const lastMonth = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getFullYear(), now.getMonth() - 1, 1)).toISOString().slice(0, 7);
};
const claims = ({ page }: Stage) => read(page, "GET /admin/payments/claims");
const claimButton = async (stage: Stage, name: (who: string) => string) => {
  const [claim] = (await claims(stage)).filter(({ receipt }) => receipt !== null);
  if (!claim) throw new Error("the sample club has no claim with a receipt");
  await stage.page.getByRole("button", { name: name(claim.displayName) }).click(PATIENCE);
  await stage.page.getByRole("dialog").waitFor(PATIENCE);
};

/** The staff screens for payments. */
export const adminPaymentsScreens: Screen[] = [
  {
    name: "admin-revenue",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      const months = Array.from({ length: 24 }, (_, n) => ({
        period: new Date(Date.UTC(2024, 11 + n, 1)).toISOString().slice(0, 7),
        received: n < 6 ? [] : [{ amount: String(300 * (n * 3 + (n % 4))), currency: "RUB" }],
        cameIn: n < 6 ? [] : [{ amount: String(300 * (n * 3 + (n % 5))), currency: "RUB" }],
        gifts: n < 6 ? 0 : n % 3,
        newPayers: n < 6 ? 0 : 4 + (n % 4),
        repeatPayers: n < 6 ? 0 : n * 3 - 4,
        ended: n < 7 ? 0 : n * 3,
        paidAgain: n < 7 ? 0 : n * 3 - (n % 5),
      }));
      await say(page, "GET /admin/payments/revenue", months);
      await inside(stage, "payments?set=revenue");
      await page.getByRole("dialog", { name: text.staffPayments.revenue.title }).getByRole("table").waitFor(PATIENCE);
    },
  },
  { name: "admin-payments", who: "admin", open: (stage) => list(stage) },
  { name: "admin-payments-moderator", isVariant: true, who: "moderator", open: (stage) => list(stage, "?status=paid") },
  {
    name: "admin-payments-month",
    isVariant: true,
    who: "admin",
    open: (stage) => list(stage, `?period=${lastMonth()}`),
  },
  {
    name: "admin-payments-menu",
    who: "admin",
    async open(stage) {
      await list(stage);
      await stage.page.getByRole("button", { name: stage.text.staff.table.actions("Дмитрий Черных") }).click(PATIENCE);
      await stage.page.getByRole("menu").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-nobody",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await inside(stage, "payments?q=zzz");
      await stage.page.getByText(stage.text.staffPayments.list.clear).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-broken",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/payments/history/{period}");
      await inside(stage, "payments");
      await stage.page.getByText(stage.text.staffPayments.loadFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-receipt",
    who: "moderator",
    async open(stage) {
      await list(stage);
      await claimButton(stage, stage.text.staffPayments.queue.receipt);
      await stage.page.getByText(stage.text.staffPayments.receipt.open).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-decline",
    isComposed: true,
    who: "moderator",
    async open(stage) {
      await list(stage);
      await claimButton(stage, stage.text.staffPayments.queue.declineOf);
    },
  },
  {
    name: "admin-payments-many",
    who: "moderator",
    async open(stage) {
      const { staffPayments, manyPayments } = stage.text;
      await list(stage);
      await stage.page.getByRole("button", { name: staffPayments.many.open }).click(PATIENCE);
      const dialog = stage.page.getByRole("dialog", { name: manyPayments.title });
      await dialog.getByRole("checkbox").first().check({ force: true });
    },
  },
  {
    name: "admin-payments-statement",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      const { staffPayments, manyPayments } = stage.text;
      const claims = await read(stage.page, "GET /admin/payments/claims");
      await list(stage);
      await stage.page.getByRole("button", { name: staffPayments.many.open }).click(PATIENCE);
      const dialog = stage.page.getByRole("dialog", { name: manyPayments.title });
      const lines = claims.map(({ displayName, amount }) => `${displayName}\nПереводы\n+${amount} ₽`);
      await dialog
        .getByLabel(manyPayments.statement.label)
        .fill(["Перевод от Сергея +450,00 ₽", ...lines.slice(0, 2)].join("\n"));
      await dialog
        .getByRole("checkbox", { checked: true })
        .first()
        .waitFor({ state: "attached", ...PATIENCE });
    },
  },
  {
    name: "admin-payments-paid",
    who: "admin",
    async open(stage) {
      await act(stage, "Павел Тихонов", "paid");
      await stage.page.getByText(stage.text.staffPayments.set.question.paid).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-several",
    isVariant: true,
    who: "admin",
    async open(stage) {
      const { page } = stage;
      await page.goto("/admin");
      const [member] = (await read(page, "GET /users")).filter(({ displayName }) => displayName === "Павел Тихонов");
      const of = await read(page, "GET /admin/payments/members/{id}", { params: { id: member?.id ?? "" } });
      await say(page, "GET /admin/payments/members/{id}", {
        ...of,
        lengths: ([1, 3, 6, 12] as const).map((months) => ({
          ...{ months, amount: String(300 * months), currency: "RUB" },
          until: new Date(Date.now() + months * 31 * 86_400_000).toISOString(),
        })),
      });
      await act(stage, "Павел Тихонов", "paid");
      const sheet = page.getByRole("dialog");
      await sheet.getByRole("radio", { name: /^3\s/ }).check({ force: true });
    },
  },
  {
    name: "admin-payments-overdue",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await act(stage, "Нина Островская", "overdue");
      await stage.page.getByText(stage.text.staffPayments.set.question.overdue).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-history",
    who: "admin",
    async open(stage) {
      await act(stage, "Екатерина Руднева", "history");
      await stage.page.getByText(stage.text.staffPayments.history.page).waitFor(PATIENCE);
      await stage.page
        .getByRole("button", { name: /^(Из\sчего\sсложился\sсрок|How\sthe\send\scame\sabout)$/ })
        .click(PATIENCE);
      await stage.page
        .getByText(/^(К\sначалу\sучёта|When\srecords\sbegan)$/)
        .first()
        .waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-settings",
    who: "admin",
    async open(stage) {
      await inside(stage, "payments?set=price");
      await stage.page.getByLabel(stage.text.staffPayments.settings.details).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-payments-none",
    isVariant: true,
    who: "moderator",
    async open(stage) {
      await say(stage.page, "GET /admin/payments/claims", []);
      await say(stage.page, "GET /admin/payments/history/{period}", []);
      await inside(stage, "payments?period=2024-01");
      await stage.page.getByText(stage.text.staffPayments.list.nobody).waitFor(PATIENCE);
    },
  },
];
