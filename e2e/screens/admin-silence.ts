import { inside } from "./admin-entry.ts";
import { silence } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const fallSilent = async ({ page, text }: Stage) => {
  await page.getByText("anton_k").waitFor(PATIENCE);
  await silence(page);
  await page.getByRole("button", { name: new RegExp(`^${text.staff.table.refresh}`) }).click(PATIENCE);
};

/** The administration area with a silent panel: the last known data, or samples if enabled. */
export const adminSilenceScreens: Screen[] = [
  {
    name: "admin-silent",
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      await fallSilent(stage);
      await page.getByText(text.staff.silence.known("").slice(0, 12)).waitFor(PATIENCE);
      // The buttons disappear once the health check has failed as well.
      await page.getByRole("button", { name: text.users.list.add }).waitFor({ state: "detached", ...PATIENCE });
      await page.evaluate(() => scrollTo(0, 0));
    },
  },
  {
    name: "admin-sample-data",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const { page, text } = stage;
      await inside(stage, "users");
      await page.evaluate(() => {
        const meta = document.createElement("meta");
        meta.name = "sample-data";
        meta.content = "on";
        document.head.append(meta);
      });
      await fallSilent(stage);
      await page.getByText(text.staff.silence.sample).waitFor(PATIENCE);
      await page.getByText("anton_k").waitFor({ state: "detached", ...PATIENCE });
    },
  },
];
