import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { admin, enter, moderator } from "../../../testing/staff.ts";
import type { RevenueMonth } from "./staff-queries.ts";

screens();

const month = (period: string, about: Partial<RevenueMonth> = {}): RevenueMonth => ({
  period,
  received: [],
  cameIn: [],
  gifts: 0,
  newPayers: 0,
  repeatPayers: 0,
  ended: 0,
  paidAgain: 0,
  ...about,
});
const MONTHS = [
  month("2026-08"),
  month("2026-09", {
    received: [{ amount: "900", currency: "RUB" }],
    cameIn: [{ amount: "2700", currency: "RUB" }],
    gifts: 4,
    newPayers: 2,
    repeatPayers: 1,
  }),
  month("2026-10", {
    received: [
      { amount: "10.99", currency: "EUR" },
      { amount: "300", currency: "RUB" },
    ],
    repeatPayers: 2,
    ended: 3,
    paidAgain: 2,
  }),
  month("2026-11"),
];
const open = (says: Panel = {}, me = admin) =>
  enter("/admin/payments?set=revenue", { "GET /admin/payments/revenue": MONTHS, ...says }, me);
const dialog = async () => within(await screen.findByRole("dialog", { name: "Выручка по месяцам" }));

test("each month shows what was paid, by whom, and how many paid again; nothing before the first payment", async () => {
  await open();
  const rows = await (await dialog()).findAllByRole("row");
  expect(rows[0]?.textContent).toBe("МесяцЗа этот месяцПришло в нёмПодаркиВпервыеСноваПродлили после конца срока");
  expect(rows.slice(1).map((row) => row.textContent?.replace(/\s/g, " "))).toEqual([
    "ноябрь 2026 идёт00000",
    "октябрь 202610,99 € + 300 ₽000267 % из 3",
    "сентябрь 2026900 ₽2 700 ₽421",
  ]);
});

test("the file has a column of numbers for each currency, from the first payment on", async () => {
  const saved = savedFiles();
  const { user } = await open();
  await user.click(await (await dialog()).findByRole("button", { name: "CSV" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  const lines = (await saved[0]?.text())?.split("\r\n");
  expect(lines?.[0]).toMatch(
    /Месяц;За этот месяц, EUR;Пришло, EUR;За этот месяц, RUB;Пришло, RUB;Подарки;Впервые;Снова;Срок кончился;Из них заплатили снова$/,
  );
  expect(lines?.slice(1)).toEqual([
    "2026-09;0;0;900;2700;4;2;1;0;0",
    "2026-10;10,99;0;300;0;0;0;2;3;2",
    "2026-11;0;0;0;0;0;0;0;0;0",
    "",
  ]);
});

test("a club without payments says so, and a failed load can be retried", async () => {
  const { user, say } = await open({ "GET /admin/payments/revenue": refused(500, "internal", "Сломалось") });
  const box = await dialog();
  await box.findByText("Сломалось");
  say({ "GET /admin/payments/revenue": [month("2026-11")] });
  await user.click(box.getByRole("button", { name: "Повторить" }));
  await box.findByText("Оплат за эти два года нет.");
});

test("the request says that the viewer is a moderator, or an admin viewing as one", async () => {
  const { asked } = await open({}, moderator);
  const box = await dialog();
  await box.findAllByRole("row");
  expect(box.queryByText(/уже удалили/)).toBeNull();
  expect(asked("GET /admin/payments/revenue")).toHaveLength(1);
});
