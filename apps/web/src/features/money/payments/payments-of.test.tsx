import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { ofAnna, openPayments, payment, plain } from "../../../testing/payments.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { enter, fileOf, listed } from "../../../testing/staff.ts";
import { chooseFromMenu } from "../../../testing/users.ts";

screens();

test("a member's history opens over the list: months with sums, and the member's claims", async () => {
  const { user } = await openPayments({
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
  await chooseFromMenu(user, "Анна", "История платежей");
  const dialog = within(await screen.findByRole("dialog", { name: "История платежей: Анна" }));
  expect(plain((await dialog.findByText(/январь/)).textContent)).toBe("январь 2026");
  expect(dialog.getByText("наличными")).toBeTruthy();
  expect(dialog.getByText("отклонено: нет")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "Страница участника" }).getAttribute("href")).toBe("/admin/users/anna");
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
