import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { liveNumbers, server, staffInterface } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";
import { atEachStep } from "../../../ui/steps-of-time.ts";

screens();

const BEGIN = Date.UTC(2026, 10, 22, 12);
const at = (step: number, seconds = 300) => new Date(BEGIN + step * seconds * 1_000).toISOString();
const point = (step: number, cpu: number, received: number) => ({
  at: at(step),
  cpu,
  memory: 2 * 2 ** 30,
  memoryTotal: 8 * 2 ** 30,
  load: 0.4,
  received,
  sent: 500_000,
});
const day = {
  step: 300,
  from: at(0),
  to: at(3),
  points: [point(0, 10, 1_000_000), point(1, 50, 2_000_000), point(3, 30, 0)],
};

const open = async (history: Panel["GET /admin/servers/{id}/history"]) => {
  const page = await enter("/admin/servers", {
    "GET /admin/servers": [server()],
    "GET /admin/servers/interfaces": [staffInterface()],
    "GET /admin/servers/{id}/refresh": server({ stats: liveNumbers }),
    "GET /admin/servers/{id}/history": history,
  });
  await page.user.click(await screen.findByRole("button", { name: "Действия: Хельсинки" }));
  await page.user.click(await screen.findByRole("menuitem", { name: "Нагрузка" }));
  return { ...page, dialog: within(await screen.findByRole("dialog", { name: "Нагрузка: Хельсинки" })) };
};

test("a server's load is described next to each chart, with its mean and its maximum", async () => {
  const { dialog } = await open(day);
  await dialog.findByText(/^В среднем 30\s%, больше всего 50\s%: 22\sноября 2026/);
  expect(dialog.getByText(/^В среднем 2,0\sGB, больше всего 2,0\sGB/)).toBeTruthy();
  expect(dialog.getByText(/^приём: в среднем 8\sМбит\/с, больше всего 16\sМбит\/с/)).toBeTruthy();
  expect(dialog.getByText(/^отдача: в среднем 4\sМбит\/с/)).toBeTruthy();
  expect(dialog.getByText(/^Разрывы/)).toBeTruthy();
});

test("one press requests a month", async () => {
  const { dialog, user, asked } = await open(day);
  await dialog.findByText("Процессор");
  await user.click(dialog.getByRole("radio", { name: "30 дней" }));
  const spans = () => asked("GET /admin/servers/{id}/history").map(({ query }) => query.get("span"));
  await waitFor(() => expect(spans()).toEqual(["day", "month"]));
});

test("before the second measurement there is nothing to draw, and the dialog says when there will be", async () => {
  const { dialog } = await open({ ...day, points: [] });
  await dialog.findByText(/первые числа появятся после второго раза/);
});

test("a load that cannot be loaded says so and can be retried", async () => {
  const { dialog, user, say } = await open(refused(500, "internal", "Внутренняя ошибка."));
  await dialog.findByText("Не получилось загрузить нагрузку");
  say({ "GET /admin/servers/{id}/history": day });
  await user.click(dialog.getByRole("button", { name: "Повторить" }));
  await dialog.findByText("Процессор");
});

test("steps without a measurement are gaps in their place", () => {
  expect(atEachStep(day).map(({ point: known }) => known?.cpu ?? null)).toEqual([10, 50, null, 30]);
});
