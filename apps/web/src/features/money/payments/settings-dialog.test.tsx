import type { Api } from "@krug/contract/api";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { checkConnection } from "../../../lib/connection.ts";
import { screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";
import { openPayments } from "../../../testing/payments.ts";

screens();

const settings: Api["GET /admin/payments/settings"]["answer"] = {
  price: "300",
  price3: null,
  price6: null,
  price12: null,
  currency: "RUB",
  details: "Карта 2200",
};

test("an admin sets the price of a month; only typed changes are sent, and errors are named", async () => {
  const { user, asked } = await openPayments({
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
  const { user, asked, say } = await openPayments({
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
  const { user, say } = await openPayments({ "GET /admin/payments/settings": settings });
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
