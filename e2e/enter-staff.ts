import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { PATIENCE } from "./enter.ts";

/** The code an authenticator app shows for this secret now. */
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret.replace(/\s/g, "")) }).generate();

export async function typeCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Цифра 1 из 6").click(PATIENCE);
  await page.keyboard.type(code);
}

/** Sets up the second factor in the dialog in front of the area, and goes in. Returns the recovery codes. */
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
