import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, type Panel, paged, refused } from "../../../testing/panel.ts";
import { anna, CURRENT, claim, END, LATER, openPayments, plain } from "../../../testing/payments.ts";
import { ACT, uuid } from "../../../testing/samples.ts";
import type { Claim } from "./staff-queries.ts";

screens();

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

test("one press confirms a reported payment, with its effect shown next to it", async () => {
  const { user, asked, say } = await openPayments({
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

test("a confirmed claim stays in its row: a second press in the same place confirms nobody else, and the focus stays", async () => {
  const { user, asked } = await openPayments(queueOf(12));
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
  const { user, asked } = await openPayments(queueOf(3));
  const queue = await theQueue();
  for (const button of await queue.findAllByRole("button", { name: "Подтвердить оплату: Сергей" }))
    await user.click(button);
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(3));
});

test("members with the same name are distinguished by login, each with the sum", async () => {
  await openPayments(queueOf(2));
  const queue = await theQueue();
  const rows = (await queue.findAllByRole("listitem")).map((row) => plain(row.textContent));
  expect(rows[0]).toMatch(/Сергей sergey_1300 ₽ · /);
  expect(rows[1]).toMatch(/Сергей sergey_2300 ₽ · /);
});

test("three hundred are read by pages of five, sorted by what is due, folded, and searched", async () => {
  const { user, last } = await openPayments(queueOf(300));
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
  const { asked } = await openPayments({ "GET /admin/payments/claims": () => claims });
  await waitFor(() => expect(asked("GET /admin/payments/history/{period}").length).toBeGreaterThan(0));
  expect(screen.queryByRole("radio", { name: /^Оплачено/ })).toBeNull();
  answer([]);
  await screen.findByRole("radio", { name: /^Оплачено/ });
});

test("a claim that arrives while the page is open moves nothing: it appears when the page is turned", async () => {
  const { user, say } = await openPayments({ "GET /admin/payments/claims": people(1, 1) });
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
  const { user, asked } = await openPayments({
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
  await openPayments({ "GET /admin/payments/claims": [claim({ isUnlimited: true, receipt: null })] });
  const queue = within(await screen.findByRole("region", { name: /Сообщили об оплате/ }));
  expect(queue.getByRole("button", { name: "Подтвердить оплату: Анна" }).getAttribute("aria-disabled")).toBe("true");
  expect(queue.getByText("без чека")).toBeTruthy();
  expect(queue.getByRole("button", { name: "Отклонить: Анна" }).getAttribute("aria-disabled")).toBeNull();
});

test("a claim for several months says how many, and is confirmed as such", async () => {
  const { user, asked } = await openPayments({
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
  const { user, asked } = await openPayments({
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
  const { user } = await openPayments({ "GET /admin/payments/claims": paged(people, { total: 620 }) });
  await user.click(await (await theQueue()).findByRole("button", { name: "Подтвердить несколько" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Подтвердить оплаты" }));
  expect(await dialog.findByText(/Здесь 12 из 620, кто ждёт дольше всех/)).toBeDefined();
});

test("a pasted bank's list ticks those with its sum and name, asks about namesakes, and confirms nobody by itself", async () => {
  const of = (n: number, displayName: string, amount: string) =>
    claim({ id: uuid(700 + n), userId: uuid(800 + n), username: `payer_${n}`, displayName, amount });
  const { user, asked } = await openPayments({
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
