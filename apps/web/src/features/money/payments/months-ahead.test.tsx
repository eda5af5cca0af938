import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { anna, CURRENT, END, LATER, ofAnna, openPayments, payment, summary } from "../../../testing/payments.ts";
import { inDays } from "../../../testing/samples.ts";
import { chooseFromMenu } from "../../../testing/users.ts";

screens();

test("several months at once: staff choose how many were paid, and read until when that lasts", async () => {
  const { user, asked } = await openPayments({
    "GET /admin/payments/members/{id}": ofAnna({
      lengths: [
        { months: 1, amount: "300", currency: "RUB", until: LATER },
        { months: 3, amount: "800", currency: "RUB", until: "2031-03-12T20:59:59.000Z" },
      ],
    }),
    "PUT /admin/payments/status": { ...anna, status: "paid" },
  });
  await chooseFromMenu(user, "Анна", "Оплата получена");
  const dialog = within(await screen.findByRole("dialog", { name: /^Анна: / }));
  await user.click(await dialog.findByRole("radio", { name: /3\s*месяца/ }));
  expect(await dialog.findByText(/12\sмарта\s2031/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Оплата получена" }));
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(1));
  expect(asked("PUT /admin/payments/status")[0]?.body).toMatchObject({ status: "paid", months: 3 });
});

test("months ahead are recorded while the current one is paid, by what was seen of the end", async () => {
  const paid = payment(1, { username: "anna", displayName: "Анна", status: "paid", paidDate: inDays(-3) });
  const { user, asked } = await openPayments({
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
  await chooseFromMenu(user, "Анна", "Оплачено вперёд");
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
  const { user, asked } = await openPayments({
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
  await chooseFromMenu(user, "Анна", "Оплата не поступила");
  const dialog = within(await screen.findByRole("dialog", { name: /^Анна: / }));
  await dialog.findByText(/Платёж был за 3\sмесяца сразу/);
  expect(asked("GET /admin/payments/members/{id}").at(-1)?.query.get("period")).toBe(next);
  await user.click(dialog.getByRole("button", { name: "Не поступила" }));
  await waitFor(() => expect(asked("PUT /admin/payments/status")).toHaveLength(1));
  expect(asked("PUT /admin/payments/status")[0]?.body).toMatchObject({ status: "overdue", period: next });
});
