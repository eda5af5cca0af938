import type { Api } from "@krug/contract/api";
import { fail, read, say } from "./answers.ts";
import { anotherKind, devices, HIDDEN } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

type Diagnosis = Api["GET /vpn/configs/{id}/diagnosis"]["answer"];

/** 'Не работает?' for a device of the sample club; `about`: what the club sees differently. */
async function diagnosis(stage: Stage, device: string, about: Partial<Diagnosis> = {}) {
  const { page, text } = stage;
  const list = await read(page, "GET /vpn/configs");
  const config = list.find(({ name }) => name === device);
  const seen = await read(page, "GET /vpn/configs/{id}/diagnosis", { params: { id: config?.id ?? "" } });
  await say(page, "GET /vpn/configs/{id}/diagnosis", { ...seen, ...about });
  await devices(stage);
  await page.getByRole("button", { name: text.card.notWorkingOf(device) }).click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: text.diagnosis.title(device) });
  await sheet.getByText(text.diagnosis.whatWeSee).waitFor(PATIENCE);
  return sheet;
}

/** 'Не работает?' */
export const diagnosisScreens: Screen[] = [
  {
    name: "diagnosis-quota",
    isVariant: true,
    who: "marina",
    open: async (stage) => void (await diagnosis(stage, "iphone-marina", { cause: "quota", applied: false })),
  },
  {
    name: "diagnosis-never-connected",
    who: "marina",
    async open(stage) {
      const sheet = await diagnosis(stage, "ipad-kids");
      await sheet.getByText(stage.text.diagnosis.causes.never_connected.title).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-tunnel-down",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const since = new Date(Date.now() - 40 * 60_000).toISOString();
      const tunnel = { state: "closed" as const, since, fromInside: false };
      const sheet = await diagnosis(stage, "iphone-marina", {
        cause: "tunnel_down",
        tunnel,
        lastHandshake: Date.parse(since),
      });
      await sheet.getByText(stage.text.diagnosis.causes.tunnel_down.title).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-tunnel-blocked",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const since = new Date(Date.now() - 40 * 60_000).toISOString();
      const tunnel = { state: "answers" as const, since, fromInside: false };
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "tunnel_blocked", tunnel });
      await sheet.getByText(stage.text.diagnosis.causes.tunnel_blocked.title).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-old-file",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const sheet = await diagnosis(stage, "work-laptop", { cause: "outdated_file", fileOutdated: true });
      await sheet.getByRole("button", { name: stage.text.diagnosis.download }).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-other-way",
    who: "marina",
    async open(stage) {
      await anotherKind(stage);
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "udp_blocked" });
      const offer = sheet.getByRole("button", { name: stage.text.otherWay.take("AmneziaWG") });
      await offer.scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "diagnosis-old-app",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const list = await read(stage.page, "GET /vpn/configs");
      const hidden = list.map((one) => (one.name === "ipad-kids" ? { ...one, tunnel: HIDDEN } : one));
      await say(stage.page, "GET /vpn/configs", hidden);
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "never_connected", lastHandshake: null });
      await sheet.getByText(stage.text.amnezia.need).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "moved-to-amneziawg",
    who: "marina",
    async open(stage) {
      await anotherKind(stage);
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "udp_blocked" });
      const config = (await read(stage.page, "GET /vpn/configs")).find(({ name }) => name === "ipad-kids");
      if (!config) throw new Error("the sample club has no ipad-kids");
      await say(stage.page, "PUT /vpn/configs/{id}", { ...config, tunnel: HIDDEN, template: null });
      await sheet.getByRole("button", { name: stage.text.otherWay.take("AmneziaWG") }).click(PATIENCE);
      await stage.page.getByText(stage.text.amnezia.need).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-failed",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await fail(page, "GET /vpn/configs/{id}/diagnosis");
      await devices(stage);
      await page.getByRole("button", { name: text.card.notWorkingOf("ipad-kids") }).click(PATIENCE);
      await page.getByText(text.diagnosis.failed).waitFor(PATIENCE);
    },
  },
];
