import type { Api } from "@krug/contract/api";
import type { RefusalCode } from "@krug/contract/refusals";
import type { Page } from "playwright-core";
import type { Stage } from "./screens/stage.ts";

type Call = keyof Api & string;

/** How a screen's answers are said in the panel's place. */
export interface Tools {
  say<K extends Call>(page: Page, key: K, answer: Api[K]["answer"]): Promise<void>;
  refuse(stage: Stage, key: Call, code: RefusalCode): Promise<void>;
  fail(page: Page, key: Call): Promise<void>;
}

const PATIENCE = { timeout: 30_000 };
const SECRET = "WON2ZHDOGXG72UVVO5HP3SZJKIK2FN6M";

/** How one stands with the second factor. */
export const twoFactor = (about: Partial<Api["GET /totp/{id}/status"]["answer"]> = {}) => ({
  enabled: true,
  secret: null,
  uri: null,
  elevated: true,
  retryAfter: 0,
  recoveryCodesLeft: 7,
  ...about,
});
/** The set-up, with a secret. */
export const offered = twoFactor({
  enabled: false,
  secret: SECRET,
  uri: `otpauth://totp/x:admin?issuer=x&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  recoveryCodesLeft: 0,
});

/** The way into the administration area, with the panel's word on the second factor. */
export function makeEntry(say: Tools["say"]) {
  const toEntry = async ({ page, text }: Stage, status = twoFactor(), place = "users") => {
    await say(page, "GET /totp/{id}/status", status);
    await page.goto(`/admin/${place}`);
    await page.getByLabel(text.staff.twoFactor.digit(1)).waitFor(PATIENCE);
  };
  const typeCode = async ({ page, text }: Stage) => {
    await page.getByLabel(text.staff.twoFactor.digit(1)).click();
    await page.keyboard.type("123456");
  };
  const inside = async (stage: Stage, place = "users", status = twoFactor()) => {
    await say(stage.page, "POST /totp/{id}/verify", { valid: true, retryAfter: 0 });
    await toEntry(stage, twoFactor(), place);
    if (!status.enabled) await say(stage.page, "GET /totp/{id}/status", status);
    await typeCode(stage);
    await stage.page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
  };
  return { toEntry, typeCode, inside };
}

/** How a page of the administration area is reached past the second factor. */
export interface AdminStage {
  inside(stage: Stage, place: string): Promise<void>;
}
