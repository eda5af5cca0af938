import type { Page } from "playwright-core";

/** Reads the club's charter to its end, waits for the countdown and accepts, as every member does once. */
export async function acceptCharter(page: Page, patience: { timeout: number }): Promise<void> {
  const charter = page.getByRole("dialog", { name: "Устав клуба" });
  await charter.getByRole("button", { name: "Миссия" }).click(patience);
  await charter.getByRole("button", { name: "Я принимаю правила клуба" }).click(patience);
  await charter.waitFor({ state: "hidden", ...patience });
}
