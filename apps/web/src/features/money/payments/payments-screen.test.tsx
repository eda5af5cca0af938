import type { Api } from "@krug/contract/api";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { checkConnection } from "../../../lib/connection.ts";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, type Panel, paged, refused } from "../../../testing/panel.ts";
import { ACT, inDays, uuid } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { admin, enter, fileOf, listed, moderator } from "../../../testing/staff.ts";
import type { Claim, MemberPayments, MonthSummary, Payment } from "./staff-queries.ts";

screens();

const now = new Date();
const CURRENT = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}`;
const END = inDays(12);
const LATER = inDays(43);

/** A member's month. A test passes only the fields that it is about. */
function payment(n: number, about: Partial<Payment> = {}): Payment {
  return {
    id: null,
    userId: uuid(500 + n),
    user_id: uuid(500 + n),
    username: `member_${n}`,
    displayName: `Участник ${n}`,
    isUnlimited: false,
    free: null,
    amount: "300",
    currency: "RUB",
    status: "pending",
    paidDate: null,
    paid_date: null,
    dueDate: `${CURRENT}-28`,
    due_date: `${CURRENT}-28`,
    period: CURRENT,
    note: null,
    grantedUntil: null,
    paidMonths: 1,
    subscriptionEnd: END,
    claimId: null,
    ...about,
  };
}
const anna = payment(1, { username: "anna", displayName: "Анна" });
const boris = payment(2, { username: "boris", displayName: "Борис", status: "paid", paidDate: inDays(-3) });

const summary = (about: Partial<MonthSummary> = {}): MonthSummary => ({
  period: CURRENT,
  currentPeriod: CURRENT,
  lastPeriod: CURRENT,
  counts: { all: 20, pending: 9, paid: 7, overdue: 2, not_required: 1, unlimited: 1 },
  received: [{ amount: "2100", currency: "RUB" }],
  receivedFromDeleted: [],
  ...about,
});
const claim = (about: Partial<Claim> = {}): Claim => ({
  id: uuid(700),
  userId: anna.userId,
  username: "anna",
  displayName: "Анна",
  claimedAt: inDays(-0.01),
  receipt: uuid(701),
  period: CURRENT,
  months: 1,
  status: "pending",
  amount: "300",
  currency: "RUB",
  isUnlimited: false,
  subscriptionEnd: END,
  grantsUntil: LATER,
  ...about,
});
const grant = { kind: "grant" as const, from: END, until: LATER, months: 1 };
const ofAnna = (about: Partial<MemberPayments> = {}): MemberPayments => ({
  current: anna,
  choices: [
    { status: "paid", refusal: null, effect: grant },
    { status: "overdue", refusal: null, effect: null },
    { status: "not_required", refusal: null, effect: grant },
  ],
  lengths: [{ months: 1, amount: "300", currency: "RUB", until: LATER }],
  history: [],
  claims: [],
  ...about,
});

const open = async (says: Panel = {}, address = "/admin/payments", me = admin) => {
  const page = await enter(
    address,
    {
      "GET /admin/payments/history/{period}": [anna, boris],
      "GET /admin/payments/summary/{period}": summary(),
      "GET /admin/payments/claims": [],
      "GET /admin/payments/members/{id}": ofAnna(),
      ...says,
    },
    me,
  );
  await screen.findByRole("heading", { level: 1, name: "Платежи" });
  const last = (key: Parameters<typeof page.asked>[0]): Heard | undefined => page.asked(key).at(-1);
  return { ...page, last };
};
type Page = Awaited<ReturnType<typeof open>>;
const menu = async (user: Page["user"], name: string, item: string) => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};
const plain = (text: string | null | undefined) => text?.replace(/\s/g, " ");

test("a row shows the member, the month's status, the sum, and the subscription's end", async () => {
  await open();
  const row = (await screen.findByRole("link", { name: /Борис/ })).closest("tr") as HTMLElement;
  const words = [...row.querySelectorAll("td")].slice(1).map((cell) => plain(cell.textContent));
  expect(words.slice(0, 3)).toEqual(["Борисboris", "Оплачено", "300 ₽"]);
  expect(words[5]).toMatch(/^До \d\d\.\d\d\.\d{4}$/);
});

test("the month's totals are above the list, and each number filters by it", async () => {
  const { user, address, last } = await open();
  const paid = await screen.findByRole("radio", { name: /Оплачено/ });
  expect(plain(paid.closest("label")?.textContent)).toBe("Оплачено72 100 ₽");
  await user.click(paid);
  await waitFor(() => expect(last("GET /admin/payments/history/{period}")?.query.get("status")).toBe("paid"));
  expect(address()).toBe("/admin/payments?status=paid");
});

test("another month is requested by its name, and nothing in it can be changed, with the reason", async () => {
  const { user, asked, address } = await open();
  await user.click(await screen.findByRole("button", { name: "Предыдущий месяц" }));
  await screen.findByText("Оплата может быть подтверждена только за текущий месяц.");
  const period = new URL(address(), "http://x").searchParams.get("period") ?? "";
  await waitFor(() => expect(asked("GET /admin/payments/history/{period}").at(-1)?.path).toContain(period));
  expect(period < CURRENT).toBe(true);
  await user.click(screen.getByRole("button", { name: "К текущему месяцу" }));
  await waitFor(() => expect(address()).toBe("/admin/payments"));
  expect(screen.getByRole("button", { name: "Следующий месяц" }).getAttribute("aria-disabled")).toBe("true");
});

test("a future or invalid month opens the current one", async () => {
  for (const period of ["2999-01", "2026-13"]) {
    const { asked } = await open({}, `/admin/payments?period=${period}`);
    await waitFor(() => expect(asked("GET /admin/payments/history/{period}").at(-1)?.path).toContain(CURRENT));
    cleanup();
  }
});

test("in a past month the button only says why it does nothing", async () => {
  const { user } = await open(
    { "GET /admin/payments/history/{period}": [{ ...anna, period: "2024-01" }] },
    "/admin/payments?period=2024-01",
  );
  const button = await screen.findByRole("button", { name: "Подтвердить оплату: Анна" });
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(button.getAttribute("title")).toBe("Оплата может быть подтверждена только за текущий месяц.");
  await user.click(button);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("many who paid in cash are set to paid at once, each as it was seen, and failures are named with the reason", async () => {
  const forever = payment(3, { displayName: "Фаина", isUnlimited: true, free: "unlimited" });
  const clara = payment(4, { displayName: "Клара" });
  const { user, asked } = await open({
    "GET /admin/payments/history/{period}": [anna, boris, clara, forever],
    "PUT /admin/payments/status": ({ body }) =>
      (body as { userId: string }).userId === clara.userId
        ? refused(409, "payment.changed_meanwhile", "Платёж уже изменил кто-то другой.")
        : { ...anna, status: "paid" },
  });
  await user.click(await screen.findByRole("checkbox", { name: "Выбрать всех на странице" }));
  const [received] = await screen.findAllByRole("button", { name: "Оплата получена" });
  await user.click(received as HTMLElement);
  const ask = within(await screen.findByRole("dialog", { name: /^Оплата получена: 3\sучастника\?$/ }));
  await user.click(ask.getByRole("button", { name: "Оплата получена" }));
  const left = within(await screen.findByRole("dialog", { name: "Отмечено: 1, пропущено: 2" }));
  expect(left.getAllByRole("listitem").map((line) => plain(line.textContent))).toEqual([
    "КлараПлатёж уже изменил кто-то другой.",
    "ФаинаУ участника безлимитная подписка, платить ему не нужно.",
  ]);
  expect(asked("PUT /admin/payments/status").map(({ body }) => body)).toEqual(
    [anna, clara].map(({ userId }) => ({
      userId,
      period: CURRENT,
      status: "paid",
      act: ACT,
      expected: { status: "pending", subscriptionEnd: END, claimId: null },
    })),
  );
});

test("one press shows who must pay now, the earliest due first", async () => {
  const { user, address, last } = await open();
  await user.click(await screen.findByRole("button", { name: "Кому пора платить" }));
  await waitFor(() => expect(last("GET /admin/payments/history/{period}")?.query.get("sort")).toBe("subscription"));
  expect(last("GET /admin/payments/history/{period}")?.query.get("status")).toBe("pending");
  await user.click(screen.getByRole("button", { name: "Кому пора платить" }));
  await waitFor(() => expect(address()).toBe("/admin/payments"));
});

test("unlimited members have nothing to confirm, and the menu says so once", async () => {
  const forever = payment(3, { displayName: "Фаина", isUnlimited: true, free: "unlimited" });
  const { user } = await open({ "GET /admin/payments/history/{period}": [forever] });
  await user.click(await screen.findByRole("button", { name: "Действия: Фаина" }));
  expect(screen.queryByRole("button", { name: "Подтвердить оплату: Фаина" })).toBeNull();
  const item = await screen.findByRole("menuitem", { name: /Оплата получена/ });
  expect(item.getAttribute("aria-disabled")).toBe("true");
  expect(within(screen.getByRole("menu")).getAllByText(/безлимитная подписка/)).toHaveLength(1);
  await user.click(item);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a moderator is offered paid and overdue, never that nothing is required, and sets no price", async () => {
  const { user } = await open({}, "/admin/payments", moderator);
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await screen.findByRole("menuitem", { name: "Оплата получена" });
  expect(screen.getByRole("menuitem", { name: "Оплата не поступила" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Платить не нужно" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Цена и реквизиты" })).toBeNull();
});

test("an admin viewing as a moderator gets a moderator's answers and actions", async () => {
  const { user, last } = await open();
  await user.click(await screen.findByRole("radio", { name: "Модератор" }));
  await waitFor(() => expect(last("GET /admin/payments/history/{period}")?.query.get("as")).toBe("moderator"));
  await waitFor(() => expect(last("GET /admin/payments/summary/{period}")?.query.get("as")).toBe("moderator"));
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await screen.findByRole("menuitem", { name: "Оплата получена" });
  expect(screen.queryByRole("menuitem", { name: "Платить не нужно" })).toBeNull();
});

test("before a month is set to paid, the sheet shows the subscription before and after", async () => {
  const { user, asked } = await open({
    "PUT /admin/payments/status": { ...anna, status: "paid", subscriptionEnd: LATER },
  });
  await user.click(await screen.findByRole("button", { name: "Подтвердить оплату: Анна" }));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("Подтвердить, что оплата получена?");
  const subscription = dialog.getByText("Подписка").parentElement as HTMLElement;
  expect(plain(subscription.textContent)).toMatch(/^Подпискадо \d+ \S+.*до \d+ \S+/);
  await user.type(dialog.getByLabelText("Заметка для сотрудников"), "наличными");
  await user.click(dialog.getByRole("button", { name: "Оплата получена" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/payments/status")[0]?.body).toEqual({
    userId: anna.userId,
    period: CURRENT,
    status: "paid",
    act: ACT,
    note: "наличными",
    months: 1,
    expected: { status: "pending", subscriptionEnd: END, claimId: null },
  });
});

test("undoing a payment says what is undone, and that access ends", async () => {
  const paid = { ...anna, status: "paid" as const, subscriptionEnd: LATER };
  const { user } = await open({
    "GET /admin/payments/history/{period}": [paid],
    "GET /admin/payments/members/{id}": ofAnna({
      current: paid,
      choices: [
        {
          status: "overdue",
          refusal: null,
          effect: { kind: "take back", from: LATER, until: inDays(-2), months: 1 },
        },
      ],
    }),
  });
  await menu(user, "Анна", "Оплата не поступила");
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText(/Из подписки уйдёт ровно тот месяц/);
  expect(dialog.getByText(/Доступ закроется сразу/)).toBeTruthy();
});

test("the slower of two admins is notified, sees the current status, and can decide by that", async () => {
  let changed = false;
  const { user, asked, say } = await open({
    "GET /admin/payments/members/{id}": () =>
      changed ? ofAnna({ current: { ...anna, subscriptionEnd: LATER } }) : ofAnna(),
    "PUT /admin/payments/status": () => {
      changed = true;
      return refused(409, "payment.changed_meanwhile", "изменились");
    },
  });
  await user.click(await screen.findByRole("button", { name: "Подтвердить оплату: Анна" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("button", { name: "Оплата получена" }));
  await dialog.findByText(/Пока вы смотрели, платёж или подписка изменились/);
  say({ "PUT /admin/payments/status": { ...anna, status: "paid" } });
  await waitFor(() => expect(asked("GET /admin/payments/members/{id}").length).toBeGreaterThan(1));
  await user.click(dialog.getByRole("button", { name: "Оплата получена" }));
  await waitFor(() =>
    expect(asked("PUT /admin/payments/status").at(-1)?.body).toMatchObject({ expected: { subscriptionEnd: LATER } }),
  );
});

test("if nothing answers, a failed status change is reported in the specification's words", async () => {
  const { user } = await open({ "PUT /admin/payments/status": "silence" });
  await user.click(await screen.findByRole("button", { name: "Подтвердить оплату: Анна" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("button", { name: "Оплата получена" }));
  await dialog.findByText(/^Ошибка при обновлении статуса платежа/);
});

test("a list that could not be read says so in the specification's words, and can be retried", async () => {
  const { user, say } = await open({ "GET /admin/payments/history/{period}": refused(500, "internal") });
  await screen.findByText("Ошибка при загрузке данных. Пожалуйста, попробуйте позже.");
  say({ "GET /admin/payments/history/{period}": [anna] });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByRole("link", { name: /Анна/ });
});

test("one press confirms a reported payment, with its effect shown next to it", async () => {
  const { user, asked, say } = await open({
    "GET /admin/payments/claims": [claim()],
    "PUT /admin/payments/status": { ...anna, status: "paid", subscriptionEnd: LATER },
  });
  const queue = within(await screen.findByRole("region", { name: /Сообщили об оплате/ }));
  expect(queue.getByText(/подписка продлится до/)).toBeTruthy();
  say({ "GET /admin/payments/claims": [] });
  await user.click(queue.getByRole("button", { name: "Подтвердить оплату: Анна" }));
  await screen.findByText(/Анна: оплата подтверждена, подписка до/);
  expect(asked("PUT /admin/payments/status")[0]?.body).toEqual({
    userId: anna.userId,
    period: CURRENT,
    status: "paid",
    act: ACT,
    months: 1,
    expected: { status: "pending", subscriptionEnd: END, claimId: uuid(700) },
  });
  expect(queue.getByRole("button", { name: "Оплата подтверждена: Анна" })).toBeTruthy();
});

const people = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    claim({
      id: uuid(700 + from + n),
      userId: uuid(500 + from + n),
      username: `sergey_${from + n}`,
      displayName: "Сергей",
      receipt: null,
    }),
  );
/** The panel's queue of this many claims, read by pages. */
const queueOf = (count: number) => {
  const waiting = people(1, count);
  return {
    "GET /admin/payments/claims": ({ query }: Heard) => {
      const from = Number(query.get("cursor") ?? 0);
      const upTo = from + Number(query.get("limit"));
      const left = waiting.slice(from, upTo);
      return paged(left, { total: waiting.length, next: upTo < waiting.length ? String(upTo) : null });
    },
    "PUT /admin/payments/status": ({ body }: Heard) => {
      const { userId } = body as { userId: string };
      const at = waiting.findIndex((one) => one.userId === userId);
      waiting.splice(at, 1);
      return { ...anna, userId, displayName: "Сергей", status: "paid" as const };
    },
  } satisfies Panel;
};
const theQueue = async () => within(await screen.findByRole("region", { name: /Сообщили об оплате/ }));

test("a confirmed claim stays in its row: a second press in the same place confirms nobody else, and the focus stays", async () => {
  const { user, asked } = await open(queueOf(12));
  const queue = await theQueue();
  await waitFor(() => expect(queue.getAllByRole("listitem")).toHaveLength(5));
  const first = () => within(queue.getAllByRole("listitem")[0] as HTMLElement);
  const button = first().getByRole("button", { name: "Подтвердить оплату: Сергей" });
  await user.click(button);
  await first().findByRole("button", { name: "Оплата подтверждена: Сергей" });
  await waitFor(() => expect(asked("GET /admin/payments/claims").length).toBeGreaterThan(1));
  expect(first().getByText("sergey_1")).toBeTruthy();
  expect(document.activeElement).toBe(button);
  await user.click(button);
  await user.keyboard("{Enter}");
  expect(asked("PUT /admin/payments/status")).toHaveLength(1);
});

test("two claims confirmed at once are both sent", async () => {
  const { user, asked } = await open(queueOf(3));
  const queue = await theQueue();
  for (const button of await queue.findAllByRole("button", { name: "Подтвердить оплату: Сергей" }))
    await user.click(button);
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(3));
});

test("members with the same name are distinguished by login, each with the sum", async () => {
  await open(queueOf(2));
  const queue = await theQueue();
  const rows = (await queue.findAllByRole("listitem")).map((row) => plain(row.textContent));
  expect(rows[0]).toMatch(/Сергей sergey_1300 ₽ · /);
  expect(rows[1]).toMatch(/Сергей sergey_2300 ₽ · /);
});

test("three hundred are read by pages of five, sorted by what is due, folded, and searched", async () => {
  const { user, last } = await open(queueOf(300));
  const queue = await theQueue();
  await queue.findByText("sergey_5");
  expect(queue.queryByText("sergey_6")).toBeNull();
  await user.click(queue.getByRole("button", { name: "Показать остальных" }));
  await queue.findByText("sergey_10");
  await user.click(queue.getByRole("button", { name: "По сроку подписки" }));
  await queue.findByText("sergey_1");
  expect([
    last("GET /admin/payments/claims")?.query.get("sort"),
    queue.queryByRole("button", { name: "Назад" }),
  ]).toEqual(["due", null]);
  // Then a row says what it is sorted by.
  expect(queue.getAllByText(/300 ₽ · кончится .+ · подписка продлится до/)).toHaveLength(5);
  await user.type(queue.getByRole("searchbox", { name: "Имя или логин" }), "sergey_77");
  await waitFor(() => expect(last("GET /admin/payments/claims")?.query.get("q")).toBe("sergey_77"));
  await user.click(queue.getByRole("button", { name: "Свернуть" }));
  expect(queue.queryAllByRole("listitem")).toEqual([]);
  await user.click(queue.getByRole("button", { name: "Показать" }));
  expect(queue.getAllByRole("listitem")).toHaveLength(5);
});

test("the month below appears once the queue above has its height, so that no press meets a claim that slid there", async () => {
  let answer: (claims: Claim[]) => void = () => undefined;
  const claims = new Promise<Claim[]>((resolve) => (answer = resolve));
  const { asked } = await open({ "GET /admin/payments/claims": () => claims });
  await waitFor(() => expect(asked("GET /admin/payments/history/{period}").length).toBeGreaterThan(0));
  expect(screen.queryByRole("radio", { name: /^Оплачено/ })).toBeNull();
  answer([]);
  await screen.findByRole("radio", { name: /^Оплачено/ });
});

test("a claim that arrives while the page is open moves nothing: it appears when the page is turned", async () => {
  const { user, say } = await open({ "GET /admin/payments/claims": people(1, 1) });
  const queue = await theQueue();
  await queue.findByText("sergey_1");
  say({ "GET /admin/payments/claims": people(1, 2) });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await user.click(queue.getByRole("button", { name: "Отклонить: Сергей" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Отмена" }));
  say({ "PUT /admin/payments/status": { ...anna, status: "paid" } });
  await user.click(queue.getByRole("button", { name: "Подтвердить оплату: Сергей" }));
  const more = await queue.findByRole("button", { name: "Показать остальных" });
  expect(queue.queryByText("sergey_2")).toBeNull();
  await user.click(more);
  await queue.findByText("sergey_2");
});

test("a receipt opens large, and is declined from there with a reason the member will read", async () => {
  const { user, asked } = await open({
    "GET /admin/payments/claims": [claim()],
    "PUT /admin/payments/claims/{id}/decline": undefined as never,
  });
  await user.click(await screen.findByRole("button", { name: "Чек: Анна" }));
  const receipt = within(await screen.findByRole("dialog", { name: "Чек: Анна" }));
  const picture = receipt.getByRole("img", { name: "Чек, который прислал участник Анна" });
  expect(picture.getAttribute("src")).toContain(`/claims/${uuid(700)}/receipt?of=${uuid(701)}`);
  await user.click(receipt.getByRole("button", { name: "Отклонить" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Анна: оплата не найдена?" }));
  await user.type(dialog.getByLabelText("Что ответить"), "Перевода{Enter}нет");
  await user.click(dialog.getByRole("button", { name: "Отклонить" }));
  await screen.findByText("Анна: ответ отправлен");
  expect(asked("PUT /admin/payments/claims/{id}/decline")[0]?.body).toEqual({ reason: "Перевода нет" });
});

test("a claim of a member who became unlimited meanwhile can only be declined", async () => {
  await open({ "GET /admin/payments/claims": [claim({ isUnlimited: true, receipt: null })] });
  const queue = within(await screen.findByRole("region", { name: /Сообщили об оплате/ }));
  expect(queue.getByRole("button", { name: "Подтвердить оплату: Анна" }).getAttribute("aria-disabled")).toBe("true");
  expect(queue.getByText("без чека")).toBeTruthy();
  expect(queue.getByRole("button", { name: "Отклонить: Анна" }).getAttribute("aria-disabled")).toBeNull();
});

test("a member's history opens over the list: months with sums, and the member's claims", async () => {
  const { user } = await open({
    "GET /admin/payments/members/{id}": ofAnna({
      history: [payment(1, { status: "paid", period: "2026-01", paidDate: "2026-01-05T10:00:00Z", note: "наличными" })],
      claims: [
        {
          id: uuid(9),
          state: "declined",
          months: 1,
          claimedAt: inDays(-40),
          decidedAt: inDays(-39),
          reason: "нет",
          receipt: null,
        },
      ],
    }),
  });
  await menu(user, "Анна", "История платежей");
  const dialog = within(await screen.findByRole("dialog", { name: "История платежей: Анна" }));
  expect(plain((await dialog.findByText(/январь/)).textContent)).toBe("январь 2026");
  expect(dialog.getByText("наличными")).toBeTruthy();
  expect(dialog.getByText("отклонено: нет")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "Страница участника" }).getAttribute("href")).toBe("/admin/users/anna");
});

const settings: Api["GET /admin/payments/settings"]["answer"] = {
  price: "300",
  price3: null,
  price6: null,
  price12: null,
  currency: "RUB",
  details: "Карта 2200",
};

test("an admin sets the price of a month; only typed changes are sent, and errors are named", async () => {
  const { user, asked } = await open({
    "GET /admin/payments/settings": settings,
    "PUT /admin/payments/settings": { ...settings, price: "350.50" },
  });
  await user.click(await screen.findByRole("button", { name: "Цена и реквизиты" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Цена и реквизиты" }));
  const price = await dialog.findByLabelText("Цена за месяц");
  await user.clear(price);
  await user.type(price, "0");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(/Сумма больше нуля/);
  expect(asked("PUT /admin/payments/settings")).toHaveLength(0);
  await user.clear(price);
  await user.type(price, "350,50");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/payments/settings")[0]?.body).toEqual({
    price: "350.50",
    expected: { price: "300" },
  });
});

test("another admin's change is shown next to what was typed, and saving again replaces it knowingly", async () => {
  const { user, asked, say } = await open({
    "GET /admin/payments/settings": settings,
    "PUT /admin/payments/settings": refused(409, "settings.changed_meanwhile", "Настройки изменились."),
  });
  await user.click(await screen.findByRole("button", { name: "Цена и реквизиты" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Цена и реквизиты" }));
  const price = (await dialog.findByLabelText("Цена за месяц")) as HTMLInputElement;
  await user.clear(price);
  await user.type(price, "350");
  say({ "GET /admin/payments/settings": { ...settings, price: "400", details: "Карта 5536" } });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Цена за месяц: теперь 400");
  expect(price.value).toBe("350");
  expect((dialog.getByLabelText("Как платить") as HTMLTextAreaElement).value).toBe("Карта 5536");
  say({ "PUT /admin/payments/settings": { ...settings, price: "350" } });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/payments/settings").at(-1)?.body).toEqual({ price: "350", expected: { price: "400" } });
});

test("a typed price survives a silence of the panel", async () => {
  const { user, say } = await open({ "GET /admin/payments/settings": settings });
  await user.click(await screen.findByRole("button", { name: "Цена и реквизиты" }));
  const price = (await screen.findByLabelText("Цена за месяц")) as HTMLInputElement;
  await user.clear(price);
  await user.type(price, "350");
  say({
    "PUT /admin/payments/settings": "silence",
    "GET /admin/payments/settings": "silence",
    "GET /health": "silence",
  });
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await checkConnection();
  await waitFor(() => expect(screen.queryByText("Цена и реквизиты", { selector: "button *" })).toBeNull());
  expect((screen.getByLabelText("Цена за месяц") as HTMLInputElement).value).toBe("350");
}, 30_000);

test("the month is exported with plain sums and dates", async () => {
  const free = payment(3, { displayName: "Вера", status: "overdue", free: "unlimited" });
  const { user } = await open({ "GET /admin/payments/history/{period}": [anna, boris, free] });
  await screen.findByRole("link", { name: /Борис/ });
  const files = savedFiles();
  await user.click(screen.getByRole("button", { name: "CSV" }));
  await waitFor(() => expect(files).toHaveLength(1));
  const text = ((await files[0]?.text()) ?? "").replace("\ufeff", "");
  const [head, ...rows] = text.trim().split("\r\n");
  expect(head).toBe("Участник;Платёж;Сумма;Оплатить до;Оплачено;Подписка;Заметка;Логин;Валюта;Подписка до");
  expect(rows[1]).toContain(`Борис;Оплачено;300;${CURRENT}-28;${boris.paidDate?.slice(0, 10)};`);
  // A member with free use owes nothing.
  expect(text).not.toMatch(/^[^;]*;Безлимит[^;]*;\d/m);
  expect(rows[2]).toMatch(/^Вера;Просрочено;;;;/);
});

test("a member's page has their payments, with this month's actions", async () => {
  const who = listed(1, { username: "anna", displayName: "Анна" });
  const { user } = await enter("/admin/users/anna", {
    "GET /admin/users/{id}": fileOf(who),
    "GET /vpn/configs/{id}": [],
    "GET /users/{id}/invited": [],
    "GET /admin/payments/members/{id}": ofAnna(),
  });
  const section = within(await screen.findByRole("region", { name: "Платежи" }));
  await user.click(await section.findByRole("button", { name: "Платить не нужно" }));
  await within(await screen.findByRole("dialog")).findByText("Отметить, что за месяц платить не нужно?");
});

test("what moved the subscription is folded, and read once somebody asks", async () => {
  const entry = { at: inDays(-1), isGift: false, endBefore: null, period: null, months: null, amount: null };
  const { user, asked } = await enter("/admin/users/anna", {
    "GET /admin/users/{id}": fileOf(listed(1, { username: "anna", displayName: "Анна" })),
    "GET /vpn/configs/{id}": [],
    "GET /users/{id}/invited": [],
    "GET /admin/payments/members/{id}": ofAnna(),
    "GET /admin/payments/members/{id}/ledger": [
      {
        ...entry,
        number: 2,
        kind: "payment",
        endAfter: "2031-03-01T23:59:59.000+03:00",
        period: "2026-11",
        months: 3,
        amount: "800",
        currency: "RUB",
        by: { id: uuid(1), username: "chief", displayName: "Глава" },
      },
      { ...entry, number: 1, kind: "extension", isGift: true, endAfter: inDays(3), currency: null, by: null },
    ],
  });
  const fold = await screen.findByRole("button", { name: "Из чего сложился срок" });
  expect(asked("GET /admin/payments/members/{id}/ledger")).toEqual([]);
  await user.click(fold);
  const paid = await screen.findByText("Оплата");
  expect(plain(paid.closest("li")?.textContent ?? "")).toMatch(
    /^Оплата3 месяца, первый: ноябрь 2026подписка до 1 марта 2031.*800 ₽.*Глава$/,
  );
  expect(screen.getByText("Подарок")).toBeTruthy();
  await user.click(fold);
  expect(screen.queryByText("Подарок")).toBeNull();
});

test("several months at once: staff choose how many were paid, and read until when that lasts", async () => {
  const { user, asked } = await open({
    "GET /admin/payments/members/{id}": ofAnna({
      lengths: [
        { months: 1, amount: "300", currency: "RUB", until: LATER },
        { months: 3, amount: "800", currency: "RUB", until: "2031-03-12T20:59:59.000Z" },
      ],
    }),
    "PUT /admin/payments/status": { ...anna, status: "paid" },
  });
  await menu(user, "Анна", "Оплата получена");
  const dialog = within(await screen.findByRole("dialog", { name: /^Анна: / }));
  await user.click(await dialog.findByRole("radio", { name: /3\s*месяца/ }));
  expect(await dialog.findByText(/12\sмарта\s2031/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Оплата получена" }));
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(1));
  expect(asked("PUT /admin/payments/status")[0]?.body).toMatchObject({ status: "paid", months: 3 });
});

test("months ahead are recorded while the current one is paid, by what was seen of the end", async () => {
  const paid = payment(1, { username: "anna", displayName: "Анна", status: "paid", paidDate: inDays(-3) });
  const { user, asked } = await open({
    "GET /admin/payments/history/{period}": [paid],
    "GET /admin/payments/members/{id}": ofAnna({
      current: paid,
      choices: [{ status: "overdue", refusal: null, effect: null }],
      lengths: [
        { months: 1, amount: "300", currency: "RUB", until: LATER },
        { months: 3, amount: "800", currency: "RUB", until: "2031-03-12T20:59:59.000Z" },
      ],
    }),
    "PUT /admin/payments/status": paid,
  });
  await menu(user, "Анна", "Оплачено вперёд");
  const dialog = within(await screen.findByRole("dialog", { name: /^Анна: / }));
  await dialog.findByText("Подтвердить, что оплачены месяцы вперёд?");
  expect(dialog.getAllByRole("radio")).toHaveLength(1);
  expect(dialog.getByText(/12\sмарта\s2031/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Оплата получена" }));
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(1));
  expect(asked("PUT /admin/payments/status")[0]?.body).toMatchObject({
    status: "paid",
    months: 3,
    ahead: true,
    expected: { status: "paid", subscriptionEnd: END },
  });
});

test("months paid ahead are taken back from any of them, before they begin", async () => {
  const next = new Date(Date.UTC(Number(CURRENT.slice(0, 4)), Number(CURRENT.slice(5)), 1)).toISOString().slice(0, 7);
  const ahead = { ...anna, period: next, status: "paid" as const, paidMonths: 3 as const };
  const { user, asked } = await open({
    "GET /admin/payments/summary/{period}": summary({ lastPeriod: next }),
    "GET /admin/payments/history/{period}": [ahead],
    "GET /admin/payments/members/{id}": ofAnna({
      current: ahead,
      choices: [
        { status: "overdue", refusal: null, effect: { kind: "take back", from: LATER, until: END, months: 3 } },
      ],
    }),
    "PUT /admin/payments/status": { ...ahead, status: "pending" },
  });
  await user.click(await screen.findByRole("button", { name: "Следующий месяц" }));
  await menu(user, "Анна", "Оплата не поступила");
  const dialog = within(await screen.findByRole("dialog", { name: /^Анна: / }));
  await dialog.findByText(/Платёж был за 3\sмесяца сразу/);
  expect(asked("GET /admin/payments/members/{id}").at(-1)?.query.get("period")).toBe(next);
  await user.click(dialog.getByRole("button", { name: "Не поступила" }));
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(1));
  expect(asked("PUT /admin/payments/status")[0]?.body).toMatchObject({ status: "overdue", period: next });
});

test("a claim for several months says how many, and is confirmed as such", async () => {
  const { user, asked } = await open({
    "GET /admin/payments/claims": [claim({ months: 6, amount: "1500" })],
    "PUT /admin/payments/status": { ...anna, status: "paid" },
  });
  const queue = within(await screen.findByRole("region", { name: /^Сообщили об оплате/ }));
  expect(plain((await queue.findByRole("listitem")).textContent)).toContain("6 месяцев · 1 500 ₽");
  await user.click(queue.getByRole("button", { name: "Подтвердить оплату: Анна" }));
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(1));
  expect(asked("PUT /admin/payments/status")[0]?.body).toMatchObject({ months: 6, expected: { claimId: uuid(700) } });
});

test("an evening's claims are confirmed together: chosen by hand or all, with a sum before and after", async () => {
  const people = Array.from({ length: 30 }, (_, n) =>
    claim({
      id: uuid(2000 + n),
      userId: uuid(3000 + n),
      displayName: `Пётр ${n}`,
      username: `petr_${n}`,
      amount: "300.50",
    }),
  );
  const { user, asked } = await open({
    "GET /admin/payments/claims": people,
    "PUT /admin/payments/status": ({ body }) =>
      (body as { userId: string }).userId === people[7]?.userId
        ? refused(409, "payment.changed_meanwhile", "Платёж уже изменил кто-то другой.")
        : { ...anna, status: "paid" },
  });
  let presses = 0;
  const press = (element: HTMLElement) => {
    presses++;
    return user.click(element);
  };
  await press(await (await theQueue()).findByRole("button", { name: "Подтвердить несколько" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Подтвердить оплаты" }));
  await press(await dialog.findByLabelText("Выбрать всех: 30"));
  // Whose money is not on the bank's list.
  await press(dialog.getByLabelText("Пётр 3 (petr_3)"));
  expect(plain(dialog.getByText(/^Выбрано/).textContent)).toBe("Выбрано: 29 участников, 8 714,50 ₽");
  expect(asked("PUT /admin/payments/status")).toHaveLength(0);
  await press(dialog.getByRole("button", { name: "Подтвердить: 29" }));
  expect(plain((await dialog.findByText(/^Подтверждено/)).textContent)).toBe("Подтверждено: 28 участников, 8 414 ₽");
  expect(dialog.getByRole("listitem").textContent).toBe("Пётр 7Платёж уже изменил кто-то другой.");
  const sent = asked("PUT /admin/payments/status").map(({ body }) => body as { userId: string; expected: object });
  expect(sent).toHaveLength(29);
  expect(sent.some(({ userId }) => userId === people[3]?.userId)).toBe(false);
  expect(sent[0]?.expected).toMatchObject({ claimId: people[0]?.id });
  // As many however many wait, and one more for each who is left out.
  expect(presses).toBe(4);
});

test("the dialog of many claims says that more wait than it lists", async () => {
  const people = Array.from({ length: 12 }, (_, n) => claim({ id: uuid(2000 + n), userId: uuid(3000 + n) }));
  const { user } = await open({ "GET /admin/payments/claims": paged(people, { total: 620 }) });
  await user.click(await (await theQueue()).findByRole("button", { name: "Подтвердить несколько" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Подтвердить оплаты" }));
  expect(await dialog.findByText(/Здесь 12 из 620, кто ждёт дольше всех/)).toBeDefined();
});

test("a pasted bank's list ticks those with its sum and name, asks about namesakes, and confirms nobody by itself", async () => {
  const of = (n: number, displayName: string, amount: string) =>
    claim({ id: uuid(700 + n), userId: uuid(800 + n), username: `payer_${n}`, displayName, amount });
  const { user, asked } = await open({
    "GET /admin/payments/claims": [
      of(1, "Павел Кузнецов", "300"),
      of(2, "Павел Белов", "300"),
      of(3, "Марина", "1500"),
    ],
    "PUT /admin/payments/status": { ...anna, status: "paid" },
    "PUT /admin/payments/claims/{id}/decline": undefined as never,
  });
  await user.click(await (await theQueue()).findByRole("button", { name: "Подтвердить несколько" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Подтвердить оплаты" }));
  const isTicked = (name: string) => (dialog.getByLabelText(name) as HTMLInputElement).checked;
  await user.click(await dialog.findByLabelText("Выписка банка (необязательно)"));
  await user.paste("Павел\nПереводы\n+300 ₽\nПеревод от Марины О.\n+1 500,00 ₽\nСергей +900 ₽\nПятёрочка −540 ₽");
  expect(plain((await dialog.findByText(/^Нашлось/)).textContent)).toBe("Нашлось: 1 участник, спорных: 1, без пары: 1");
  expect(["Марина (payer_3)", "Павел Кузнецов (payer_1)", "Павел Белов (payer_2)"].map(isTicked)).toEqual([
    true,
    false,
    false,
  ]);
  expect(dialog.getByText("Кто из них: Павел Кузнецов (payer_1), Павел Белов (payer_2)")).toBeTruthy();
  expect(asked("PUT /admin/payments/status")).toHaveLength(0);
  await user.click(dialog.getByLabelText("Павел Белов (payer_2)"));
  await user.click(dialog.getByRole("button", { name: "Подтвердить: 2" }));
  await dialog.findByText(/^Подтверждено/);
  const paid = asked("PUT /admin/payments/status").map(({ body }) => (body as { userId: string }).userId);
  expect(paid.sort()).toEqual([uuid(802), uuid(803)]);
  // The namesake whose money did not come is declined next; the list still knows what was found already.
  await user.click(dialog.getByRole("button", { name: "Остались: 1" }));
  expect(plain(dialog.getByText(/^Нашлось/).textContent)).toContain("Нашлось: 1 участник, спорных: 1");
  await user.click(dialog.getByLabelText("Подходят нескольким, отметьте сами: 1"));
  await user.click(dialog.getByRole("button", { name: "Отклонить: 1" }));
  await user.type(dialog.getByLabelText("Что ответить"), "Перевод был один");
  await user.click(dialog.getByRole("button", { name: "Отклонить: 1" }));
  expect(plain((await dialog.findByText(/^Отклонено/)).textContent)).toBe("Отклонено: 1 участник");
  expect(asked("PUT /admin/payments/claims/{id}/decline")).toMatchObject([{ body: { reason: "Перевод был один" } }]);
  expect(dialog.queryByRole("button", { name: /^Остались/ })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Готово" }));
  const queue = await theQueue();
  const inQueue = ["Оплата подтверждена: Марина", "Оплата подтверждена: Павел Белов", "Отклонено: Павел Кузнецов"];
  for (const name of inQueue) expect(queue.getByRole("button", { name })).toBeTruthy();
});
