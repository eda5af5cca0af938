import type { Api } from "@krug/contract/api";
import { screen, within } from "@testing-library/react";
import type { Panel } from "./panel.ts";
import { staffInterface } from "./servers.ts";
import { enter } from "./staff.ts";

export type FoundInterface = Api["POST /admin/servers/{id}/moving-in/preview"]["answer"];

export const foundDevice = (about: Partial<FoundInterface["devices"][number]> = {}) => ({
  publicKey: "a".repeat(43),
  name: "anna",
  suggestedName: "anna",
  suggestedUsername: "anna-2",
  address: "10.9.0.2",
  hasPrivateKey: false,
  isEnabled: true,
  endsAt: null,
  traffic: null,
  losesV6: false,
  strange: null,
  suggestedOwner: null,
  ...about,
});

/** Another program's interface, as its files have it. */
export const foundInterface = (about: Partial<FoundInterface> = {}): FoundInterface => ({
  publicKey: "s".repeat(43),
  subnet: "10.9.0.0/24",
  listenPort: 51820,
  mtu: null,
  amneziawg: null,
  isTypeOpen: false,
  runsAs: null,
  givesWay: [],
  ignored: ["PostUp"],
  unread: [],
  devices: [foundDevice()],
  owners: [],
  ...about,
});

/** The beginning of a text: short words are tied to the next one by a non-breaking space. */
export const begins = (text: string) =>
  new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s")}`);
/** The whole text. */
export const said = (text: string) => new RegExp(`${begins(text).source}$`);

/** The dialog that imports an interface. */
export async function openMoveIn(says: Panel) {
  const opened = await enter("/admin/interfaces", {
    "GET /admin/servers/interfaces": [staffInterface()],
    "GET /admin/rights": { actions: ["interfaces.see", "interfaces.change"] },
    ...says,
  } as Panel);
  const { user } = opened;
  await user.click(await screen.findByRole("button", { name: "Создать интерфейс" }));
  await user.click(await screen.findByRole("button", { name: said("Перенести из wg-quick, AmneziaVPN или wg-easy") }));
  const dialog = within(await screen.findByRole("dialog", { name: "Перенести интерфейс" }));
  return { ...opened, dialog };
}
