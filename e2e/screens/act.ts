import { PATIENCE, type Stage } from "./stage.ts";

/** Presses an action in a row's menu. */
export const act = async (stage: Stage, name: string, action: string) => {
  const { page, text } = stage;
  await page.getByRole("button", { name: text.staff.table.actions(name), exact: true }).click(PATIENCE);
  await page.getByRole("menuitem", { name: action }).click(PATIENCE);
};
export const dialog = ({ page }: Stage) => page.getByRole("dialog").waitFor(PATIENCE);
