import { fail, intercept, read, say } from "./answers.ts";
import { ANOTHER, type Config, devices, edit, moved } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

/** The club has one more server. */
async function anotherServer({ page }: Stage) {
  const offered = await read(page, "GET /vpn/available-interfaces");
  const [first] = offered;
  if (!first) throw new Error("the sample club has no server");
  const riga = {
    ...first,
    id: ANOTHER,
    name: "Interface 2",
    serverName: "Рига",
    serverCountry: "LV",
    isPreferred: false,
  };
  await say(page, "GET /vpn/available-interfaces", [...offered, riga]);
}

/** The dialog after an edit that changes the file. */
async function edited(stage: Stage, device: string, about: Partial<Config> & { template?: string | null }) {
  const { page, text } = stage;
  const list = await read(page, "GET /vpn/configs");
  const config = list.find(({ name }) => name === device);
  if (!config) throw new Error(`the sample club has no ${device}`);
  const sheet = await edit(stage, device);
  await say(page, "PUT /vpn/configs/{id}", { ...config, needsDownload: true, template: null, ...about });
  await sheet.getByLabel("DNS").selectOption({ index: 1 });
  await sheet.getByRole("button", { name: text.editDevice.save }).click();
  await page.getByRole("dialog", { name: text.editDevice.fileTitle }).waitFor(PATIENCE);
}

/** A device's own dialogs: editing, QR code, key, month and removal. */
export const deviceScreens: Screen[] = [
  { name: "edit", who: "marina", open: async (stage) => void (await edit(stage, "iphone-marina")) },
  {
    name: "edit-server",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await anotherServer(stage);
      const sheet = await edit(stage, "iphone-marina");
      await sheet.getByLabel(stage.text.create.server, { exact: true }).selectOption(ANOTHER);
      await sheet.getByText(stage.text.editDevice.moves).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "edited",
    isVariant: true,
    who: "marina",
    open: (stage) => edited(stage, "iphone-marina", {}),
  },
  {
    name: "edited-moved",
    who: "marina",
    open: (stage) => edited(stage, "iphone-marina", moved({ serverName: "Хельсинки" })),
  },
  {
    name: "edited-moved-own-key",
    isVariant: true,
    who: "marina",
    open: (stage) =>
      edited(stage, "iphone-marina", {
        ...moved({ serverName: "Хельсинки" }),
        keyOrigin: "browser",
        template: `[Interface]
Address = 10.8.1.2/32
DNS = 9.9.9.9

[Peer]
PublicKey = Vr1gSvJxN0cO6xGQKdtNQ0PzHk2iK5BDJkYrHc2vXF4=
PresharedKey = n0m1Zt8w3mQK5rPBzWj3nT5jYrVJ0JpR2Xc0eEw1b2A=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = riga.example:51820
`,
      }),
  },
  {
    name: "edited-own-key",
    isVariant: true,
    who: "marina",
    open: (stage) =>
      edited(stage, "iphone-marina", {
        keyOrigin: "browser",
        template: "[Interface]\nPrivateKey = \nDNS = 9.9.9.9\n\n[Peer]\nAllowedIPs = 0.0.0.0/0, ::/0\n",
      }),
  },
  {
    name: "qr",
    who: "marina",
    async open(stage) {
      await devices(stage);
      await stage.page.getByRole("button", { name: stage.text.card.qrOf("iphone-marina") }).click(PATIENCE);
      await stage.page.getByRole("img", { name: stage.text.qr.image("iphone-marina") }).waitFor(PATIENCE);
    },
  },
  {
    name: "qr-failed",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await fail(stage.page, "GET /vpn/configs/{id}/qrcode");
      await devices(stage);
      await stage.page.getByRole("button", { name: stage.text.card.qrOf("iphone-marina") }).click(PATIENCE);
      await stage.page.getByText(stage.text.qr.failed).waitFor(PATIENCE);
    },
  },
  {
    name: "delete",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await devices(stage);
      await stage.page.getByRole("button", { name: stage.text.card.remove("ipad-kids") }).click(PATIENCE);
      await stage.page.getByText(stage.text.remove.text).waitFor(PATIENCE);
    },
  },
  {
    name: "deleted",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await devices(stage);
      await intercept(page, "DELETE /vpn/configs/{id}", { status: 200, json: null });
      await page.getByRole("button", { name: text.card.remove("ipad-kids") }).click(PATIENCE);
      await page.getByRole("dialog").getByRole("button", { name: text.remove.confirm }).click(PATIENCE);
      await page.getByText(text.card.removed).first().waitFor(PATIENCE);
    },
  },
  {
    name: "replace-key",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const list = await read(page, "GET /vpn/configs");
      await say(
        page,
        "GET /vpn/configs",
        list.map((config) => ({ ...config, keyOrigin: "browser" as const })),
      );
      await devices(stage);
      await page.getByRole("button", { name: text.card.replaceKeyOf("work-laptop") }).click(PATIENCE);
      await page.getByText(text.replace.text).waitFor(PATIENCE);
    },
  },
  {
    name: "month",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await devices(stage);
      await page.getByRole("button", { name: text.card.monthTableOf("iphone-marina") }).click(PATIENCE);
      await page.getByRole("dialog").getByRole("table").waitFor(PATIENCE);
    },
  },
];
