import type { Api } from "@krug/contract/api";
import { say } from "./answers.ts";
import { PATIENCE, type Stage } from "./stage.ts";

const SECRET = "WON2ZHDOGXG72UVVO5HP3SZJKIK2FN6M";

/** A state of the caller's second factor. */
export const twoFactor = (about: Partial<Api["GET /totp/{id}/status"]["answer"]> = {}) => ({
  enabled: true,
  secret: null,
  uri: null,
  elevated: true,
  retryAfter: 0,
  recoveryCodesLeft: 7,
  byPasskey: false,
  ...about,
});
/** The set-up, with a secret. */
export const offered = twoFactor({
  enabled: false,
  secret: SECRET,
  uri: `otpauth://totp/x:admin?issuer=x&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  recoveryCodesLeft: 0,
});

/** The dialog asking for the second factor, with the panel's message. */
export const toEntry = async ({ page, text }: Stage, status = twoFactor(), place = "users") => {
  await say(page, "GET /totp/{id}/status", status);
  await page.goto(`/admin/${place}`);
  await page.getByLabel(text.staff.twoFactor.digit(1)).waitFor(PATIENCE);
};
/** Pasted: a staff screen opens with a code, and six key presses would take a tenth of that. */
export const pasteCode = ({ page, text }: Stage) =>
  page.getByLabel(text.staff.twoFactor.digit(1)).evaluate((box) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "123456");
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  });
/** Past the dialog. */
export const inside = async (stage: Stage, place = "users", status = twoFactor()) => {
  await say(stage.page, "POST /totp/{id}/verify", { valid: true, retryAfter: 0, token: "next" });
  await toEntry(stage, twoFactor(), place);
  if (!status.enabled) await say(stage.page, "GET /totp/{id}/status", status);
  await pasteCode(stage);
  await stage.page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
};
