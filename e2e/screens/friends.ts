import { dashboard } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

async function invitePanel(stage: Stage) {
  const { page, text } = stage;
  await dashboard(stage);
  await page.getByRole("button", { name: text.dashboard.invite }).click(PATIENCE);
  await page.getByRole("dialog", { name: text.friends.title }).waitFor(PATIENCE);
}

/** The invite panel. */
export const friendScreens: Screen[] = [
  {
    name: "invite",
    who: "marina",
    async open(stage) {
      await invitePanel(stage);
      await stage.page.getByRole("timer").waitFor(PATIENCE);
      await stage.page.getByRole("dialog").getByText("Вера").waitFor(PATIENCE);
    },
  },
  {
    name: "invite-qr",
    who: "marina",
    async open(stage) {
      await invitePanel(stage);
      await stage.page.getByRole("button", { name: stage.text.friends.showQr }).click(PATIENCE);
      await stage.page.getByRole("img", { name: stage.text.friends.qrLabel }).waitFor(PATIENCE);
    },
  },
  {
    name: "invite-empty",
    isVariant: true,
    who: "vera",
    async open(stage) {
      await invitePanel(stage);
      await stage.page.getByText(stage.text.friends.empty).waitFor(PATIENCE);
      await stage.page.getByRole("button", { name: stage.text.friends.make }).waitFor(PATIENCE);
    },
  },
  {
    name: "invite-on-trial",
    isComposed: true,
    who: "anton",
    async open(stage) {
      await invitePanel(stage);
      await stage.page.getByText(stage.text.friends.doorTrial).waitFor(PATIENCE);
    },
  },
];
