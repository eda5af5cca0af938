import type { Locator, Page } from "playwright-core";

/** The form of a new device with all its fields: in most clubs everything is preselected, and the form is a press away. */
export async function wholeForm(
  page: Page,
  patience: { timeout: number },
  { open, name }: { open: string; name: string } = { open: "Настроить самому", name: "Имя" },
): Promise<Locator> {
  const field = page.getByLabel(name, { exact: true });
  const own = page.getByRole("button", { name: open });
  await own.or(field).first().waitFor(patience);
  if (await own.isVisible()) await own.click();
  await field.waitFor(patience);
  return field;
}
