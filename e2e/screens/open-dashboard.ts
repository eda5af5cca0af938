import type { Api } from "@krug/contract/api";
import { KNOWN_SERVICES } from "@krug/domain/known-services";
import { wholeForm } from "../whole-form.ts";
import { PATIENCE, type Stage } from "./stage.ts";

export async function dashboard({ page }: Stage) {
  await page.goto("/dashboard");
  await page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
}

export async function devices(stage: Stage) {
  await dashboard(stage);
  await stage.page.getByRole("article").first().waitFor(PATIENCE);
}

/** The form for a new device. */
export async function create(stage: Stage) {
  const { page, text } = stage;
  await devices(stage);
  // On a phone it is in the dock, on a desktop in the section's header.
  await page.getByRole("button", { name: text.dashboard.create }).filter({ visible: true }).first().click(PATIENCE);
  await wholeForm(page, PATIENCE, { open: text.newDevice.open, name: text.create.name });
}

/** Changing a device of the sample club; nothing is sent. */
export async function edit(stage: Stage, device: string) {
  const { page, text } = stage;
  await devices(stage);
  await page.getByRole("button", { name: text.card.editOf(device) }).click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: text.editDevice.title(device) });
  await sheet.getByLabel(text.create.name, { exact: true }).waitFor(PATIENCE);
  return sheet;
}

/** What a club that takes all of the starting catalogue offers. */
export const knownServices = ({ language }: Stage): Api["GET /services"]["answer"] =>
  KNOWN_SERVICES.map(({ name, picture, group, description }, n) => ({
    id: `00000000-0000-4000-8000-0000000007${String(n).padStart(2, "0")}`,
    ...{ name, picture, group, description: description[language] },
    ...{ ips: [`10.7.${n}.0/24`], deviceTypes: ["all"], allBut: false, exit: "direct" },
  }));
