import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";
import { anna, boris, CURRENT, END, LATER, ofAnna, openPayments, payment, plain } from "../../../testing/payments.ts";
import { ACT, inDays } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { moderator } from "../../../testing/staff.ts";
import { chooseFromMenu } from "../../../testing/users.ts";

screens();

test("a row shows the member, the month's status, the sum, and the subscription's end", async () => {
  await openPayments();
  const row = (await screen.findByRole("link", { name: /Борис/ })).closest("tr") as HTMLElement;
  const words = [...row.querySelectorAll("td")].slice(1).map((cell) => plain(cell.textContent));
  expect(words.slice(0, 3)).toEqual(["Борисboris", "Оплачено", "300 ₽"]);
  expect(words[5]).toMatch(/^До \d\d\.\d\d\.\d{4}$/);
});

test("the month's totals are above the list, and each number filters by it", async () => {
  const { user, address, last } = await openPayments();
  const paid = await screen.findByRole("radio", { name: /Оплачено/ });
  expect(plain(paid.closest("label")?.textContent)).toBe("Оплачено72 100 ₽");
  await user.click(paid);
  await waitFor(() => expect(last("GET /admin/payments/history/{period}")?.query.get("status")).toBe("paid"));
  expect(address()).toBe("/admin/payments?status=paid");
});

test("another month is requested by its name, and nothing in it can be changed, with the reason", async () => {
  const { user, asked, address } = await openPayments();
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
    const { asked } = await openPayments({}, `/admin/payments?period=${period}`);
    await waitFor(() => expect(asked("GET /admin/payments/history/{period}").at(-1)?.path).toContain(CURRENT));
    cleanup();
  }
});

test("in a past month the button only says why it does nothing", async () => {
  const { user } = await openPayments(
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
  const { user, asked } = await openPayments({
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
  const { user, address, last } = await openPayments();
  await user.click(await screen.findByRole("button", { name: "Кому пора платить" }));
  await waitFor(() => expect(last("GET /admin/payments/history/{period}")?.query.get("sort")).toBe("subscription"));
  expect(last("GET /admin/payments/history/{period}")?.query.get("status")).toBe("pending");
  await user.click(screen.getByRole("button", { name: "Кому пора платить" }));
  await waitFor(() => expect(address()).toBe("/admin/payments"));
});

test("unlimited members have nothing to confirm, and the menu says so once", async () => {
  const forever = payment(3, { displayName: "Фаина", isUnlimited: true, free: "unlimited" });
  const { user } = await openPayments({ "GET /admin/payments/history/{period}": [forever] });
  await user.click(await screen.findByRole("button", { name: "Действия: Фаина" }));
  expect(screen.queryByRole("button", { name: "Подтвердить оплату: Фаина" })).toBeNull();
  const item = await screen.findByRole("menuitem", { name: /Оплата получена/ });
  expect(item.getAttribute("aria-disabled")).toBe("true");
  expect(within(screen.getByRole("menu")).getAllByText(/безлимитная подписка/)).toHaveLength(1);
  await user.click(item);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a moderator is offered paid and overdue, never that nothing is required, and sets no price", async () => {
  const { user } = await openPayments({}, "/admin/payments", moderator);
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await screen.findByRole("menuitem", { name: "Оплата получена" });
  expect(screen.getByRole("menuitem", { name: "Оплата не поступила" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Платить не нужно" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Цена и реквизиты" })).toBeNull();
});

test("an admin viewing as a moderator gets a moderator's answers and actions", async () => {
  const { user, last } = await openPayments();
  await user.click(await screen.findByRole("radio", { name: "Модератор" }));
  await waitFor(() => expect(last("GET /admin/payments/history/{period}")?.query.get("as")).toBe("moderator"));
  await waitFor(() => expect(last("GET /admin/payments/summary/{period}")?.query.get("as")).toBe("moderator"));
  await user.click(await screen.findByRole("button", { name: "Действия: Анна" }));
  await screen.findByRole("menuitem", { name: "Оплата получена" });
  expect(screen.queryByRole("menuitem", { name: "Платить не нужно" })).toBeNull();
});

test("before a month is set to paid, the sheet shows the subscription before and after", async () => {
  const { user, asked } = await openPayments({
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
  const { user } = await openPayments({
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
  await chooseFromMenu(user, "Анна", "Оплата не поступила");
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText(/Из подписки уйдёт ровно тот месяц/);
  expect(dialog.getByText(/Доступ закроется сразу/)).toBeTruthy();
});

test("the slower of two admins is notified, sees the current status, and can decide by that", async () => {
  let changed = false;
  const { user, asked, say } = await openPayments({
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
  const { user } = await openPayments({ "PUT /admin/payments/status": "silence" });
  await user.click(await screen.findByRole("button", { name: "Подтвердить оплату: Анна" }));
  const dialog = within(await screen.findByRole("dialog"));
  await user.click(await dialog.findByRole("button", { name: "Оплата получена" }));
  await dialog.findByText(/^Ошибка при обновлении статуса платежа/);
});

test("a list that could not be read says so in the specification's words, and can be retried", async () => {
  const { user, say } = await openPayments({ "GET /admin/payments/history/{period}": refused(500, "internal") });
  await screen.findByText("Ошибка при загрузке данных. Пожалуйста, попробуйте позже.");
  say({ "GET /admin/payments/history/{period}": [anna] });
  await user.click(screen.getByRole("button", { name: "Повторить" }));
  await screen.findByRole("link", { name: /Анна/ });
});

test("the month is exported with plain sums and dates", async () => {
  const free = payment(3, { displayName: "Вера", status: "overdue", free: "unlimited" });
  const { user } = await openPayments({ "GET /admin/payments/history/{period}": [anna, boris, free] });
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
