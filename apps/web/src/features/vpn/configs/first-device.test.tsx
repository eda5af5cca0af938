import { whyNotConfigName } from "@krug/domain/config-rules";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { AGENTS, everything, openFirst } from "../../../testing/new-device.ts";
import { screens } from "../../../testing/open-page.tsx";
import { refused } from "../../../testing/panel.ts";
import { cloudflare, config, uuid } from "../../../testing/samples.ts";
import { suggestedName, thisDevice } from "./first-device.ts";

screens();

test("a first device needs one press: its name, all traffic, DNS and server are preselected", async () => {
  const { user, dialog, asked } = await openFirst();
  expect(await dialog.findByText("Весь трафик")).toBeTruthy();
  expect(dialog.queryByLabelText("Имя")).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  expect(asked("POST /vpn/configs").map(({ body }) => body)).toEqual([
    {
      userId: uuid(1),
      name: "phone",
      deviceType: "phone",
      services: [everything.id],
      dns: cloudflare.id,
      interfaceId: uuid(60),
    },
  ]);
});

test("a member who prefers to choose gets the whole form with everything preselected", async () => {
  const { user, dialog } = await openFirst();
  await user.click(await dialog.findByRole("button", { name: "Настроить самому" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("linux");
  await user.keyboard("laptop");
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("laptop");
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Весь трафик/ }).checked).toBe(true);
  expect(dialog.getByLabelText<HTMLSelectElement>("Интерфейс сервера").value).toBe(uuid(60));
});

test("a suggested name that is taken after all opens the form at the name", async () => {
  const { user, dialog } = await openFirst({
    "POST /vpn/configs": refused(409, "config.name_taken", "У вас уже есть конфигурация с таким именем."),
  });
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  await dialog.findByText("У вас уже есть конфигурация с таким именем.");
  expect(dialog.getByLabelText("Имя").getAttribute("aria-invalid")).toBe("true");
});

test("a second device is preselected like the first one, with its own name", async () => {
  const { user, dialog, asked } = await openFirst({ "GET /vpn/configs": [config({ name: "linux" })] });
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  expect(asked("POST /vpn/configs")[0]?.body).toMatchObject({ name: "linux-2", services: [everything.id] });
});

test.each(Object.entries(AGENTS))(
  "this device is suggested the name %s, by the rules for names and never twice",
  (name, agent) => {
    const device = thisDevice(agent);
    expect(suggestedName(device, [], agent)).toBe(name);
    expect(suggestedName(device, [name, `${name}-2`], agent)).toBe(`${name}-3`);
    expect(whyNotConfigName(suggestedName(device, [name], agent))).toBeNull();
    const other = device === "phone" ? "computer" : "phone";
    expect(suggestedName(other, [], agent)).toBe(other);
  },
);
