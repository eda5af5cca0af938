import { read, refuse, say } from "./answers.ts";
import { inHand } from "./in-hand.ts";
import { anotherKind, type Config, create, dashboard, knownServices } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

/** A creation that answers with a device of the sample club, so its text and readings are real. */
async function created(stage: Stage, device: "phone" | "computer", then?: (config: Config) => Promise<void>) {
  const { page, text } = stage;
  await create(stage);
  const list = await read(page, "GET /vpn/configs");
  const made = list.find(({ deviceType }) => deviceType === device);
  if (!made) throw new Error(`the sample club has no ${device}`);
  const fresh: Config = { ...made, stats: { lastHandshake: null, dataReceived: 0, dataSent: 0 } };
  await say(page, "POST /vpn/configs", { ...fresh, template: null });
  await say(page, "GET /vpn/configs/{id}/stats", { ...fresh.stats, speed: null });
  await then?.(fresh);
  await page.getByLabel(text.create.name, { exact: true }).fill(fresh.name);
  await page.getByText(device === "phone" ? text.create.phone : text.create.computer, { exact: true }).click();
  await page.getByRole("checkbox").first().check();
  await page.getByRole("dialog").getByRole("button", { name: text.create.submit }).click();
  await page.getByRole("dialog", { name: fresh.name }).waitFor(PATIENCE);
}

/** A new device: the form, and the steps after its creation. */
export const createScreens: Screen[] = [
  {
    name: "create-first",
    who: "anton",
    async open(stage) {
      const { page, text } = stage;
      await dashboard(stage);
      await page.getByRole("button", { name: text.dashboard.create }).filter({ visible: true }).first().click(PATIENCE);
      await page.getByRole("button", { name: text.newDevice.open }).waitFor(PATIENCE);
    },
  },
  { name: "create", isComposed: true, who: "marina", open: create },
  {
    name: "create-begun",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByLabel(text.create.name, { exact: true }).fill("tablet");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: text.dashboard.create }).filter({ visible: true }).first().click(PATIENCE);
      await page.getByRole("button", { name: text.newDevice.goOn }).waitFor(PATIENCE);
    },
  },
  {
    name: "create-incomplete",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByLabel(text.create.name, { exact: true }).fill("мой телефон");
      await page.getByText(text.create.nameWrong).waitFor(PATIENCE);
    },
  },
  {
    name: "create-services",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await say(page, "GET /services", knownServices(stage));
      await create(stage);
      await page.getByRole("button", { name: text.services.ask }).click(PATIENCE);
      await page.getByLabel(text.services.name).waitFor(PATIENCE);
      await page.getByRole("searchbox", { name: text.services.search }).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "create-phone-limit",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByText(text.create.phone, { exact: true }).click();
      await page.getByRole("checkbox", { name: /Кино и музыка/ }).check();
      await page.getByText(text.create.phoneLimit).waitFor(PATIENCE);
    },
  },
  {
    name: "create-refused",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await refuse(stage, "POST /vpn/configs", "config.limit_reached");
      await page.getByLabel(text.create.name, { exact: true }).fill("tablet");
      await page.getByRole("checkbox").first().check();
      await page.getByRole("dialog").getByRole("button", { name: text.create.submit }).click();
      await page.getByRole("dialog").getByRole("alert").waitFor(PATIENCE);
    },
  },
  {
    name: "created-phone",
    who: "marina",
    async open(stage) {
      await created(stage, "phone");
      await stage.page.getByText(stage.text.created.waitingPhone).waitFor(PATIENCE);
    },
  },
  {
    name: "created-in-hand",
    who: "marina",
    sizes: ["phone"],
    async open(stage) {
      await inHand(stage);
      await created(stage, "phone");
      await stage.page.getByRole("button", { name: stage.text.thisPhone.save }).waitFor(PATIENCE);
    },
  },
  {
    name: "created-in-hand-saved",
    isVariant: true,
    who: "marina",
    sizes: ["phone"],
    async open(stage) {
      const { page, text } = stage;
      await inHand(stage);
      await created(stage, "phone");
      await page.getByRole("button", { name: text.thisPhone.save }).click(PATIENCE);
      await page.getByRole("button", { name: text.thisPhone.again }).waitFor(PATIENCE);
    },
  },
  {
    name: "created-blocked",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await anotherKind(stage);
      await page.clock.install();
      await created(stage, "phone");
      await page.getByText(text.created.waitingPhone).waitFor(PATIENCE);
      await page.clock.runFor(61_000);
      await page.getByRole("button", { name: text.otherWay.try }).waitFor(PATIENCE);
    },
  },
  {
    name: "created-computer",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await created(stage, "computer");
      await stage.page.getByText(stage.text.created.waitingComputer).waitFor(PATIENCE);
    },
  },
  {
    name: "created-pending",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await created(stage, "phone", (config) =>
        say(stage.page, "GET /vpn/configs", [{ ...config, state: "pending", pendingSince: new Date().toISOString() }]),
      );
      await stage.page.getByText(stage.text.created.pendingMore).waitFor(PATIENCE);
    },
  },
  {
    name: "created-connected",
    who: "marina",
    async open(stage) {
      await created(stage, "phone", async (config) => {
        const stats = { ...config.stats, lastHandshake: Date.now(), speed: null };
        await say(stage.page, "GET /vpn/configs/{id}/stats", stats);
      });
      await stage.page.getByRole("dialog").getByText(stage.text.created.connected, { exact: true }).waitFor(PATIENCE);
    },
  },
];
