import type { Api } from "@krug/contract/api";
import { daysUpTo } from "@krug/domain/traffic";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import type { Heard } from "../../../testing/panel.ts";
import { enter, fileOf, listed } from "../../../testing/staff.ts";

screens();

const anna = listed(1, { displayName: "Анна", username: "anna" });
const file = fileOf(anna);
type Traffic = Api["GET /admin/statistics/traffic"]["answer"];

/** Thirty days up to today, or twelve months, as requested. */
const answer = ({ query }: Heard): Traffic => {
  const days = daysUpTo(new Date().toISOString().slice(0, 10), 30);
  const months = Array.from({ length: 12 }, (_, n) => `2025-${String(n + 1).padStart(2, "0")}`);
  const isYear = query.get("span") === "year";
  const steps = (isYear ? months : days).map((at, n) => ({ at, received: n === 0 ? 5 * 1024 ** 3 : 0, sent: 0 }));
  const ends = { from: steps[0]?.at ?? "", to: steps.at(-1)?.at ?? "" };
  return { zone: "UTC", step: isYear ? "month" : "day", ...ends, received: 5 * 1024 ** 3, sent: 0, steps };
};

test("staff see a member's traffic by day for a month or by month for a year, also as a table", async () => {
  const { user, asked } = await enter("/admin/users/anna", {
    "GET /admin/users/{id}": file,
    "GET /vpn/configs/{id}": [],
    "GET /users/{id}/invited": [],
    "GET /admin/statistics/traffic": answer,
  });
  const panel = within(await screen.findByRole("region", { name: "Трафик по дням" }));
  expect(asked("GET /admin/statistics/traffic")[0]?.query.get("member")).toBe(anna.id);
  // The current day is drawn as unfinished.
  expect(document.querySelectorAll("svg title")[29]?.textContent).toContain("ещё идёт");
  await user.click(panel.getByRole("radio", { name: "Год" }));
  const year = within(await screen.findByRole("region", { name: "Трафик по месяцам" }));
  await user.click(year.getByRole("button", { name: "Показать таблицей" }));
  expect(year.getAllByRole("row")).toHaveLength(14);
  await waitFor(() =>
    expect(asked("GET /admin/statistics/traffic").map(({ query }) => query.get("span"))).toEqual(["month", "year"]),
  );
});
