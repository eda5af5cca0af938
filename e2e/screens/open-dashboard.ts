import { PATIENCE, type Stage } from "./stage.ts";

export async function dashboard({ page }: Stage) {
  await page.goto("/dashboard");
  await page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
}

export async function devices(stage: Stage) {
  await dashboard(stage);
  await stage.page.getByRole("article").first().waitFor(PATIENCE);
}
