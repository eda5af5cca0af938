import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { payments as words } from "../../../lib/i18n/ru/payments.ts";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { inDays, member, uuid, wgInterface } from "../../../testing/samples.ts";
import type { OwnPayments } from "./queries.ts";

screens();

const current: OwnPayments["current"] = {
  period: "2026-11",
  status: "pending",
  amount: "300",
  currency: "RUB",
  paidDate: null,
  dueDate: "2026-11-18",
  grantedUntil: null,
  paidMonths: 1,
};
const own = (about: Partial<OwnPayments> = {}): OwnPayments => ({
  price: { amount: "300", currency: "RUB" },
  offers: [],
  details: "Карта: 2200 1234 5678 9012",
  free: null,
  current,
  claim: null,
  canClaim: true,
  wouldExtendTo: "2031-01-03T12:00:00.000Z",
  history: [],
  ...about,
});
const settled = { canClaim: false, wouldExtendTo: null };
const claim = (about: Partial<NonNullable<OwnPayments["claim"]>> = {}) => ({
  id: uuid(300),
  state: "waiting" as const,
  months: 1 as const,
  claimedAt: "2026-11-21T09:00:00.000Z",
  decidedAt: null,
  reason: null,
  receipt: null,
  ...about,
});
const expired = member({
  subscriptionEnd: inDays(-3),
  entitlement: { allowed: false, reason: "expired", until: inDays(-3) },
});

function dashboard(about: Partial<OwnPayments> = {}, says: Panel = {}) {
  const club = panel({
    "GET /auth/me": expired,
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /users/{id}/invited": [],
    "GET /payments/own": own(about),
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}

test("if the club has not said how to pay, one press asks", async () => {
  const { user } = await open({ price: null, details: null, ...settled });
  await user.click(await screen.findByRole("button", { name: "Написать в поддержку" }));
  const support = within(await screen.findByRole("dialog", { name: "Поддержка" }));
  await waitFor(() =>
    expect(support.getByRole<HTMLTextAreaElement>("textbox").value).toMatch(
      /^Как\sоплатить подписку и\sсколько она\sстоит\?$/,
    ),
  );
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Оплата" })).toBeNull());
});

async function open(about: Partial<OwnPayments> = {}, says: Panel = {}) {
  const page = dashboard(about, says);
  await page.user.click(await screen.findByRole("button", { name: /^(Как оплатить|Продлить|Оплата.*)$/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Оплата" }));
  return { ...page, dialog };
}

const plain = (text: string | null | undefined) => text?.replaceAll("\u00a0", " ");
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const picture = (name = "receipt.png") => new File([PNG], name, { type: "image/png" });
const takesPicture = { "POST /pictures": { id: uuid(901) } };
const chooser = () => document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;

test("a member with an expired subscription finds one payment button, in the banner", async () => {
  dashboard();
  const door = await screen.findByRole("button", { name: "Как оплатить" });
  expect(door.parentElement?.parentElement?.textContent).toContain("У вас истекла подписка.");
});

test("a running subscription can be renewed next to its date; unlimited members have nothing to renew", async () => {
  dashboard({}, { "GET /auth/me": member() });
  expect(await screen.findByRole("button", { name: "Продлить" })).toBeTruthy();
});

test("unlimited members have no link to payment", async () => {
  const { asked } = dashboard(
    {},
    { "GET /auth/me": member({ isUnlimited: true, entitlement: { allowed: true, reason: "unlimited", until: null } }) },
  );
  await screen.findByText("Безлимитная подписка");
  expect(screen.queryByRole("button", { name: /Оплата|Продлить|Как оплатить/ })).toBeNull();
  expect(asked("GET /payments/own")).toEqual([]);
});

test.each([
  [claim(), "Оплата на проверке"],
  [claim({ state: "declined" as const }), "Оплата не подтверждена"],
])("the button shows the payment's state %#", async (about, label) => {
  dashboard({ claim: about });
  expect(await screen.findByRole("button", { name: label })).toBeTruthy();
});

test("the sheet says what to pay, until when it will be valid, and how; the number is copied without blanks", async () => {
  const { user, dialog } = await open();
  expect(plain((await dialog.findByText("300 ₽")).parentElement?.textContent)).toBe("300 ₽ за месяц");
  expect(dialog.getByText(/откроется до.3.января.2031,/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Скопировать 2200 1234 5678 9012" }));
  expect(await navigator.clipboard.readText()).toBe("2200123456789012");
  expect((await dialog.findByText("Скопировано")).getAttribute("role")).toBe("status");
});

test("'I have paid' sends the receipt, is announced, and keeps the focus", async () => {
  const { user, dialog, asked } = await open(
    {},
    {
      ...takesPicture,
      "POST /payments/claim": own({ claim: claim({ receipt: uuid(301) }) }),
    },
  );
  await dialog.findByText("Чек");
  await user.upload(chooser(), picture());
  expect((await dialog.findByAltText("Ваш чек")).getAttribute("src")).toMatch(/^data:image\/png;base64,iVBORw0KGgo=/);
  await user.click(dialog.getByRole("button", { name: "Я оплатил" }));
  const strip = (await dialog.findByText("Ждём подтверждения оплаты")).closest('[role="status"]');
  expect(strip).toBeTruthy();
  await waitFor(() => expect(document.activeElement?.contains(strip)).toBe(true));
  expect(asked("POST /payments/claim")[0]?.body).toEqual({ receipt: uuid(901) });
  const [upload] = asked("POST /pictures");
  expect([upload?.headers.get("content-type"), upload?.body]).toEqual(["image/png", expect.any(Blob)]);
  expect(dialog.getByAltText("Открыть чек").getAttribute("src")).toBe(`/api/payments/claim/receipt?of=${uuid(301)}`);
  expect(dialog.queryByRole("button", { name: "Я оплатил" })).toBeNull();
});

test("it also works without a receipt, and a chosen one can be removed", async () => {
  const { user, dialog, asked } = await open({}, { "POST /payments/claim": own({ claim: claim() }) });
  await dialog.findByText("Чек");
  await user.upload(chooser(), picture());
  await user.click(await dialog.findByRole("button", { name: "Убрать чек" }));
  expect(dialog.queryByAltText("Ваш чек")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Я оплатил" }));
  await dialog.findByText("Ждём подтверждения оплаты");
  expect(asked("POST /payments/claim")[0]?.body).toEqual({});
});

test.each([
  [new File(["%PDF"], "receipt.pdf", { type: "application/pdf" }), words.notPicture],
  [new File([new Uint8Array(5 * 1024 * 1024 + 1)], "photo.png", { type: "image/png" }), words.tooLarge],
])("a file that the panel would refuse is refused before it is sent %#", async (file, text) => {
  const { dialog, asked } = await open();
  await dialog.findByText("Чек");
  // A phone's file chooser offers other files too, whatever the page accepts.
  fireEvent.change(chooser(), { target: { files: [file] } });
  expect((await dialog.findByText(plain(text) ?? "")).closest('[role="alert"]')).toBeTruthy();
  expect(asked("POST /payments/claim")).toEqual([]);
});

test("refusal and silence are reported, and the receipt stays for another try", async () => {
  const { user, dialog, say } = await open(
    {},
    { ...takesPicture, "POST /payments/claim": refused(409, "payment.receipt_invalid", "Чек должен быть картинкой.") },
  );
  await dialog.findByText("Чек");
  await user.upload(chooser(), picture());
  await dialog.findByAltText("Ваш чек");
  await user.click(dialog.getByRole("button", { name: "Я оплатил" }));
  expect(await dialog.findByText("Чек должен быть картинкой.")).toBeTruthy();
  say({ "POST /payments/claim": "silence" });
  await user.click(dialog.getByRole("button", { name: "Я оплатил" }));
  expect(await dialog.findByText(/^Не получилось сообщить об оплате\./)).toBeTruthy();
  expect(dialog.getByAltText("Ваш чек")).toBeTruthy();
});

test("while it waits the receipt can be added, and the claim withdrawn", async () => {
  const { user, dialog, asked, say } = await open(
    { claim: claim() },
    {
      ...takesPicture,
      "POST /payments/claim": own({ claim: claim({ receipt: uuid(301) }) }),
      "DELETE /payments/claim": undefined,
    },
  );
  await dialog.findByText("Ждём подтверждения оплаты");
  await user.upload(chooser(), picture());
  expect(await dialog.findByAltText("Открыть чек")).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Заменить чек" })).toBeTruthy();
  say({ "GET /payments/own": own() });
  await user.click(dialog.getByRole("button", { name: "Отозвать" }));
  expect(await dialog.findByRole("button", { name: "Я оплатил" })).toBeTruthy();
  expect(asked("DELETE /payments/claim")).toHaveLength(1);
});

test.each<[string, Partial<OwnPayments>, string, string]>([
  ["free by friends", { free: "referral", ...settled }, "Платить не нужно", words.free.referral],
  ["paid", { current: { ...current, status: "paid" }, ...settled }, "Оплата подтверждена", "Подписка действует до"],
  ["not required", { current: { ...current, status: "not_required" }, ...settled }, words.settledTitle, "до"],
  ["not set up", { price: null, details: null, ...settled }, words.notSetUpTitle, "Спросите в поддержке"],
])("%s: the sheet says so, and has no button", async (_, about, title, more) => {
  const { dialog } = await open(about, { "GET /auth/me": member() });
  const told = (await dialog.findByText(title)).parentElement;
  expect(plain(told?.textContent)).toContain(more);
  expect(dialog.queryByRole("button", { name: "Я оплатил" })).toBeNull();
});

test("after a decline the administrator's answer is shown with what to do, and the claim can be repeated", async () => {
  const { dialog } = await open({ claim: claim({ state: "declined", reason: "Перевода нет" }) });
  expect(await dialog.findByText("Ответ администратора: Перевода нет")).toBeTruthy();
  expect(dialog.getByText(/напишите в.поддержку/)).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Я оплатил" })).toBeTruthy();
});

test("overdue: which month, and what to do", async () => {
  const { dialog } = await open({ current: { ...current, status: "overdue" } });
  expect(plain((await dialog.findByText(/^Оплата за/)).textContent)).toBe("Оплата за ноябрь 2026 не поступила");
  expect(dialog.getByRole("button", { name: "Я оплатил" })).toBeTruthy();
});

test("with a price and no details the sheet says whom to ask", async () => {
  const { dialog } = await open({ details: null });
  expect(await dialog.findByText("Реквизиты подскажут в поддержке клуба.")).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Я оплатил" })).toBeTruthy();
});

test("the member's own months are in the sheet with the price and status of each", async () => {
  const { dialog } = await open({
    history: [
      { ...current, status: "paid", grantedUntil: "2031-01-03T12:00:00.000Z" },
      { ...current, period: "2026-10", status: "overdue", amount: "10.99", currency: "EUR" },
      { ...current, period: "2026-09", status: "not_required" },
    ],
  });
  await dialog.findByText("Ваши платежи");
  expect(dialog.getAllByRole("listitem").map((row) => plain(row.textContent))).toEqual([
    "ноябрь 2026300 ₽оплачено, до 3 января 2031 г.",
    "октябрь 202610,99 €не поступила",
    "сентябрь 2026не требовалась",
  ]);
});

test("failed loads are reported and can be retried", async () => {
  const { user, dialog, say } = await open(
    {},
    { "GET /payments/own": refused(500, "unexpected", "Внутренняя ошибка") },
  );
  expect(await dialog.findByText("Ошибка при загрузке данных. Пожалуйста, попробуйте позже.")).toBeTruthy();
  say({ "GET /payments/own": own() });
  await user.click(dialog.getByRole("button", { name: "Повторить" }));
  expect(await dialog.findByRole("button", { name: "Я оплатил" })).toBeTruthy();
});

test("a photograph is scaled down before upload", async () => {
  const drawn = vi.fn();
  vi.stubGlobal("createImageBitmap", async () => ({ width: 4000, height: 3000, close() {} }));
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue({ fillRect() {}, drawImage: drawn } as never);
  vi.spyOn(HTMLCanvasElement.prototype, "toBlob").mockImplementation(function (this: HTMLCanvasElement, done, type) {
    done(new Blob([`${this.width}x${this.height}`], { type: type ?? "" }));
  });
  const { dialog } = await open();
  await dialog.findByText("Чек");
  const photo = new File([new Uint8Array(8 * 1024 * 1024)], "IMG_1.jpg", { type: "image/jpeg" });
  fireEvent.change(chooser(), { target: { files: [photo] } });
  const shown = (await dialog.findByAltText("Ваш чек")).getAttribute("src") ?? "";
  expect([shown.split(",")[0], atob(shown.split(",")[1] ?? "")]).toEqual(["data:image/jpeg;base64", "1600x1200"]);
  vi.restoreAllMocks();
});

const year = { months: 12 as const, amount: "2500", currency: "RUB", extendsTo: "2031-12-03T12:00:00.000Z" };

test("a member who pays for several months at once says so, and reads until when that lasts", async () => {
  const waiting = own({ claim: claim({ months: 12 }), offers: [year] });
  const { user, dialog, asked } = await open({ offers: [year] }, { "POST /payments/claim": waiting });
  const one = await dialog.findByRole("radio", { name: /1\s*месяц/ });
  expect((one as HTMLInputElement).checked).toBe(true);
  await user.click(dialog.getByRole("radio", { name: /12\s*месяцев/ }));
  expect(plain(dialog.getByText(/в месяц/).textContent)).toBe("208 ₽ в месяц");
  expect(await dialog.findByText(/3\sдекабря\s2031/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Я оплатил" }));
  expect(await dialog.findByText(/Вы сообщили об оплате за 12\sмесяцев/)).toBeTruthy();
  expect(asked("POST /payments/claim")[0]?.body).toEqual({ months: 12 });
});

test("months paid ahead are in the history with their share and the payment they came from", async () => {
  const { dialog } = await open({
    ...settled,
    current: { ...current, status: "paid" },
    history: [{ ...current, period: "2027-01", status: "paid", amount: "266.67", paidMonths: 3 }],
  });
  const month = (await dialog.findByText(/январь/)).closest("li");
  expect(plain(month?.textContent)).toBe("январь 2027266,67 ₽оплачено, платёж за 3 месяца");
});

test("once the month is paid, several months ahead are offered behind a button, without the single one", async () => {
  const offer = { currency: "RUB", extendsTo: "2031-03-12T20:59:59.000Z" };
  const { user, asked } = await open(
    {
      ...settled,
      current: { ...current, status: "paid" },
      offers: [
        { ...offer, months: 3, amount: "800" },
        { ...offer, months: 12, amount: "2900" },
      ],
    },
    { "POST /payments/claim": own({ ...settled, claim: claim({ months: 3 }) }) },
  );
  const sheet = within(await screen.findByRole("dialog", { name: "Оплата" }));
  expect(sheet.queryByRole("button", { name: words.claim })).toBeNull();
  await user.click(await sheet.findByRole("button", { name: "Оплатить вперёд" }));
  expect(sheet.getAllByRole("radio")).toHaveLength(2);
  await user.click(sheet.getByRole("button", { name: words.claim }));
  await waitFor(() => expect(asked("POST /payments/claim")).toHaveLength(1));
  expect(asked("POST /payments/claim")[0]?.body).toEqual({ months: 3 });
});
