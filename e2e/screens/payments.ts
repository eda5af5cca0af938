import type { Api } from "@krug/contract/api";
import type { Page } from "playwright-core";
import { intercept, read, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

/** Like a bank app's screenshot on a phone. */
async function receiptPicture(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [540, 900];
    const pen = canvas.getContext("2d");
    if (pen === null) throw new Error("no canvas");
    pen.fillStyle = "#f2f4f7";
    pen.fillRect(0, 0, 540, 900);
    pen.fillStyle = "#1c2733";
    pen.font = "600 56px sans-serif";
    pen.fillText("300 ₽", 60, 300);
    pen.font = "32px sans-serif";
    for (const [line, words] of ["Перевод выполнен", "Иван К.", "+7 912 345-67-89"].entries())
      pen.fillText(words, 60, 380 + line * 60);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  return Buffer.from(drawn, "base64");
}

type OwnPayments = Api["GET /payments/own"]["answer"];

/** The payment sheet; `about`: what differs from the sample club. */
async function paying({ page, text }: Stage, about?: (own: OwnPayments) => Partial<OwnPayments>) {
  if (about) {
    const own = await read(page, "GET /payments/own");
    await say(page, "GET /payments/own", { ...own, ...about(own) });
  }
  const { payments, payNow, payMore, payWaiting, payDeclined } = text.dashboard;
  await page.goto("/dashboard");
  await page
    .getByRole("button", { name: new RegExp(`^(${[payments, payNow, payMore, payWaiting, payDeclined].join("|")})$`) })
    .click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: text.payments.title });
  await sheet.waitFor(PATIENCE);
  return sheet;
}

const claimed = (about: Partial<NonNullable<OwnPayments["claim"]>> = {}): OwnPayments["claim"] => ({
  id: "00000000-0000-4000-8000-000000000001",
  state: "waiting",
  months: 1,
  claimedAt: new Date(Date.now() - 7_200_000).toISOString(),
  decidedAt: null,
  reason: null,
  receipt: null,
  ...about,
});

/** What to pay and how, and the outcome. */
export const paymentScreens: Screen[] = [
  {
    name: "payment-ended",
    who: "oleg",
    async open(stage) {
      await (await paying(stage)).getByText(stage.text.payments.endedTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-lengths",
    isVariant: true,
    who: "oleg",
    async open(stage) {
      const extendsTo = new Date(Date.now() + 180 * 86_400_000).toISOString();
      const offers = ([3, 6, 12] as const).map((months) => ({
        ...{ months, amount: String(300 * months - 15 * months), currency: "RUB", extendsTo },
      }));
      const sheet = await paying(stage, () => ({ offers }));
      await sheet.getByRole("radio", { name: /^6\s/ }).check({ force: true });
    },
  },
  {
    name: "payment-running",
    isVariant: true,
    who: "anton",
    async open(stage) {
      await (await paying(stage)).getByRole("button", { name: stage.text.payments.claim }).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-with-receipt",
    who: "oleg",
    async open(stage) {
      const sheet = await paying(stage);
      const buffer = await receiptPicture(stage.page);
      await sheet.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer });
      await sheet.getByAltText(stage.text.payments.yourReceipt).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-waiting",
    who: "oleg",
    async open(stage) {
      const { page, text } = stage;
      const body = await receiptPicture(page);
      await intercept(page, "GET /payments/claim/receipt", { status: 200, media: "image/png", body });
      const receipt = "00000000-0000-4000-8000-000000000002";
      const sheet = await paying(stage, () => ({ claim: claimed({ receipt }) }));
      await sheet.getByText(text.payments.waitingTitle).waitFor(PATIENCE);
      await sheet.getByAltText(text.payments.openReceipt).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-declined",
    isVariant: true,
    who: "oleg",
    async open(stage) {
      const decidedAt = new Date().toISOString();
      const reason = "Перевод за июль не пришёл, пришлите чек с датой и суммой.";
      const sheet = await paying(stage, () => ({ claim: claimed({ state: "declined", decidedAt, reason }) }));
      await sheet.getByText(stage.text.payments.declinedTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-overdue",
    isVariant: true,
    who: "oleg",
    async open(stage) {
      const sheet = await paying(stage, ({ current }) => ({ current: { ...current, status: "overdue" } }));
      await sheet.getByText(stage.text.payments.overdue).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-paid",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await (await paying(stage)).getByText(stage.text.payments.paidTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-not-set-up",
    isComposed: true,
    who: "oleg",
    async open(stage) {
      const sheet = await paying(stage, () => ({ price: null, details: null, canClaim: false, wouldExtendTo: null }));
      await sheet.getByText(stage.text.payments.notSetUpTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-free",
    isVariant: true,
    who: "anton",
    async open(stage) {
      const sheet = await paying(stage, () => ({ free: "referral", canClaim: false, wouldExtendTo: null }));
      await sheet.getByText(stage.text.payments.freeTitle).waitFor(PATIENCE);
    },
  },
];
