import type { Api } from "@krug/contract/api";
import { read, refuse, say } from "./answers.ts";
import { create, devices, edit, knownServices } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

type Config = Api["GET /vpn/configs"]["answer"][number];

/** The club's servers route, and one of their services is closed. */
async function routed(stage: Stage, about: Partial<Config> = {}, offersNone = false) {
  const { page } = stage;
  const routing = "server" as const;
  const [first, second, third, ...others] = knownServices(stage);
  if (!first || !second || !third) throw new Error("the catalogue is empty");
  await say(page, "GET /services", offersNone ? [] : [first, { ...second, exit: "closed" }, third, ...others]);
  const services = [first.id, second.id];
  const offered = await read(page, "GET /vpn/available-interfaces");
  await say(
    page,
    "GET /vpn/available-interfaces",
    offered.map((one) => ({ ...one, routing })),
  );
  const list = await read(page, "GET /vpn/configs");
  await say(
    page,
    "GET /vpn/configs",
    list.map((one) => ({ ...one, services, ...about, routing })),
  );
}

async function routedCard(stage: Stage, about: Partial<Config> = {}, offersNone = false) {
  const { page, text } = stage;
  const name = "iphone-marina";
  await routed(stage, about, offersNone);
  await devices(stage);
  const words = text.services.routed;
  const card = page.getByRole("article", { name });
  const hint = about.needsDownload ? words.once : words.stays;
  await card.getByText(offersNone ? text.create.noServices : hint).waitFor(PATIENCE);
  return { card, chips: card.getByRole("group", { name: words.title }).getByRole("button"), words, name };
}

/** A member's devices where the server decides by which exit traffic leaves. */
export const routedScreens: Screen[] = [
  {
    name: "edit-routed",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await routed(stage);
      await edit(stage, "iphone-marina");
    },
  },
  {
    name: "device-routed",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { chips } = await routedCard(stage);
      await chips.last().scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "device-routed-exit-down",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const since = new Date(Date.now() - 300_000).toISOString();
      await routedCard(stage, { exitsDown: [{ server: "Стокгольм", since, instead: "wait", other: null }] });
    },
  },
  {
    name: "device-routed-old-file",
    isVariant: true,
    who: "marina",
    open: async (stage) => void (await routedCard(stage, { needsDownload: true })),
  },
  {
    name: "device-routed-refused",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { card, chips } = await routedCard(stage);
      await refuse(stage, "PUT /vpn/configs/{id}", "service.unknown");
      await chips.nth(2).click(PATIENCE);
      await card.getByRole("alert").getByText(/./).waitFor(PATIENCE);
    },
  },
  {
    name: "device-routed-no-services",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await routedCard(stage, {}, true);
    },
  },
  {
    name: "device-routed-all",
    who: "marina",
    async open(stage) {
      const { card, words, name } = await routedCard(stage);
      await card.getByRole("button", { name: words.allOf(name) }).click(PATIENCE);
      await stage.page
        .getByRole("dialog", { name: words.titleOf(name) })
        .getByRole("checkbox")
        .first()
        .waitFor(PATIENCE);
    },
  },
  {
    name: "create-routed",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await routed(stage);
      await create(stage);
      await page.getByText(text.create.phone, { exact: true }).click();
      await page.getByRole("checkbox").first().check();
      await page.getByText(text.services.routed.later).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
];
