import type { Api } from "@krug/contract/api";
import { KNOWN_SERVICES } from "@krug/domain/known-services";
import { wholeForm } from "../whole-form.ts";
import { read, say } from "./answers.ts";
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

export type Config = Api["GET /vpn/configs"]["answer"][number];

export const ANOTHER = "00000000-0000-4000-8000-000000000098";

export const HIDDEN = { type: "amneziawg", version: "3.1" } as const;

/** The club has an interface that networks do not recognise. */
export async function anotherKind({ page }: Stage) {
  const [first] = await read(page, "GET /vpn/available-interfaces");
  if (!first) throw new Error("the sample club has no server");
  const hidden = { ...first, id: ANOTHER, name: "Скрытый", tunnel: HIDDEN, isPreferred: false };
  await say(page, "GET /vpn/available-interfaces", [first, hidden]);
}

/** A device that moved from the first server to the other one. */
export const moved = ({ serverName }: Pick<Config, "serverName">): Partial<Config> => ({
  interfaceId: ANOTHER,
  serverName: "Рига",
  moving: {
    until: new Date(Date.now() + 23 * 3_600_000).toISOString(),
    interfaceId: "00000000-0000-4000-8000-000000000099",
    interfaceName: "Interface 1",
    serverName,
  },
});
