import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { made, openAgain, openForm } from "../../../testing/new-device.ts";
import { reopenPage, screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";

screens();

test("with a key of the browser only its public half is sent, and the file is offered at once", async () => {
  const template = "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n";
  const { user, fill, submit, asked, dialog } = await openForm({
    "POST /vpn/configs": { ...made, keyOrigin: "browser", template },
  });
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(submit());
  const next = within(await screen.findByRole("dialog", { name: "pixel" }));
  expect(next.getByText(/второй раз показать его нельзя/)).toBeTruthy();
  expect(await next.findByRole("img", { name: "QR код конфигурации pixel" })).toBeTruthy();
  const [sent] = asked("POST /vpn/configs");
  expect(Object.keys(sent?.body as object).filter((name) => /key/i.test(name))).toEqual(["publicKey"]);
  expect(asked("GET /vpn/configs/{id}/qrcode")).toHaveLength(0);
  expect(next.getByRole("link", { name: /WireGuard для Android/ }).getAttribute("href")).toContain("play.google.com");
});

test("after silence a device with a browser's key is requested with the same key, also after a reload", async () => {
  const template = "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n";
  const { user, fill, submit, asked, dialog, say } = await openForm({ "POST /vpn/configs": "silence" });
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(submit());
  await dialog.findByText(/Ошибка при создании конфигурации\. Панель клуба не отвечает/);
  await user.click(submit());
  await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(2));
  const page = reopenPage("/dashboard");
  const again = await openAgain(page.user);
  await page.user.click(await again.findByRole("button", { name: "Продолжить начатое" }));
  say({ "POST /vpn/configs": { ...made, keyOrigin: "browser", template } });
  await page.user.click(again.getByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  const sent = asked("POST /vpn/configs").map(({ headers, body }) =>
    JSON.stringify([headers.get("idempotency-key"), body]),
  );
  expect(sent).toHaveLength(3);
  expect(new Set(sent).size).toBe(1);
  expect(JSON.stringify({ ...sessionStorage }), "the key is in the file now, and nowhere else").not.toContain(
    "privateKey",
  );
});

test.each([refused(429, "request.too_many"), refused(404, "unknown")])(
  "a refusal that did not look at the request keeps the key of a lost answer: %o",
  async (answer) => {
    const { user, fill, submit, asked, dialog, say } = await openForm({ "POST /vpn/configs": "silence" });
    await fill();
    await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
    for (const said of ["silence", answer, answer] as const) {
      say({ "POST /vpn/configs": said });
      const before = asked("POST /vpn/configs").length;
      await user.click(submit());
      await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(before + 1));
      await waitFor(() => expect(submit().textContent).not.toBe("Создание..."));
    }
    const sent = asked("POST /vpn/configs").map(
      ({ headers, body }) => headers.get("idempotency-key") + JSON.stringify(body),
    );
    expect(new Set(sent).size).toBe(1);
  },
);

test("closing asks first while a key exists only in this browser", async () => {
  const template = "[Interface]\nPrivateKey = \nAddress = 10.8.0.2/32\n";
  const { user, fill, submit, dialog } = await openForm({
    "POST /vpn/configs": { ...made, keyOrigin: "browser", template },
  });
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: "Ключ создаётся в браузере" }));
  await user.click(submit());
  await screen.findByRole("dialog", { name: "pixel" });
  await user.keyboard("{Escape}");
  const question = within(await screen.findByRole("dialog", { name: "Закрыть без файла?" }));
  await user.click(question.getByRole("button", { name: "Отмена" }));
  await waitFor(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
  await user.keyboard("{Escape}");
  await user.click(await screen.findByRole("button", { name: "Закрыть без файла" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
