import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { PATIENCE } from "./enter.ts";

/** The code that an authenticator app shows for this secret now. */
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, "")) }).generate();

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Цифра 1 из 6").click(PATIENCE);
  await page.keyboard.type(code);
}

/** Sets the second factor up in the dialog that stands before the area, and goes in. Answers the recovery codes. */
export async function setUpSecondFactor(page: Page): Promise<string[]> {
  const dialog = page.getByRole("dialog", { name: "Двухфакторная аутентификация" });
  const secret = await dialog.getByRole("code").textContent(PATIENCE);
  await typeCode(page, codeOf(secret ?? ""));
  const codes = page.getByRole("dialog", { name: "Сохраните коды восстановления" });
  await codes.waitFor(PATIENCE);
  const shown = await codes.getByRole("listitem").allTextContents();
  await codes.getByRole("button", { name: "Коды сохранены, продолжить" }).click();
  return shown;
}
