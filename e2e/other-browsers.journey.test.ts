import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasOtherBrowsers } from "../scripts/system-packages.mjs";
import { join } from "./other-browsers/steps.ts";
import { OTHER_BROWSERS, visitWith } from "./other-browsers/visit-with.ts";
import type { OtherVisitor } from "./other-browsers/visitor.ts";
import { type SampleClub, startSampleClub } from "./sample.ts";

/** The shortest path in, in the engines of iPhones and Firefox. The longer ones are other-browsers.soak.test.ts. */
describe.skipIf(!hasOtherBrowsers())("if WebKit and Firefox are installed", () => {
  let club: SampleClub;
  beforeAll(async () => {
    club = await startSampleClub();
  });
  afterAll(async () => club?.remove());

  test.each(OTHER_BROWSERS)("in %s a friend joins with a code and gets a config's file", async (browser) => {
    const visitor: OtherVisitor = await visitWith(browser, { baseURL: club.url });
    try {
      await join(visitor, await club.inviteCode(), browser.toLowerCase(), "a phrase of one's own");
      await visitor.press({ role: "button", name: "Создать конфиг" });
      await visitor.press({ text: "Телефон", within: { role: "dialog" } });
      await visitor.press({ role: "button", name: "Создать конфиг", within: { role: "dialog" } });
      await visitor.see({ role: "img", name: "QR код конфигурации phone" });
      await visitor.press({ role: "button", name: "Скачать конфиг" });
      expect(await visitor.saved("phone.conf")).toMatch(/^\[Interface\]\nPrivateKey = /);
    } finally {
      await visitor.close();
    }
  });
});
