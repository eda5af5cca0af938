import { intercept, say } from "./answers.ts";
import { DOT, PATIENCE, type Screen, type Stage } from "./stage.ts";

/** The open widget, with nothing marked as seen. */
async function supportWidget({ page, text }: Stage) {
  await say(page, "POST /support/read", { unread: 2, chat: 1 });
  await page.goto("/dashboard");
  await page.getByRole("button", { name: new RegExp(`^${text.dashboard.support}`) }).click(PATIENCE);
  const widget = page.getByRole("dialog", { name: text.support.title });
  await widget.waitFor(PATIENCE);
  return widget;
}

async function tickets(stage: Stage) {
  const widget = await supportWidget(stage);
  await widget.getByText(stage.text.support.tickets).click(PATIENCE);
  return widget;
}

/** A member's chat and tickets. */
export const supportScreens: Screen[] = [
  {
    name: "support",
    who: "marina",
    async open(stage) {
      await (await supportWidget(stage)).getByRole("article").last().waitFor(PATIENCE);
    },
  },
  {
    name: "support-empty",
    isVariant: true,
    who: "anton",
    async open(stage) {
      await (await supportWidget(stage)).getByText(stage.text.support.empty).waitFor(PATIENCE);
    },
  },
  {
    name: "support-not-sent",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await intercept(page, "POST /support/messages", "silence");
      const widget = await supportWidget(stage);
      await widget.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer: DOT });
      await widget.getByRole("button", { name: text.support.removeImage(1) }).waitFor(PATIENCE);
      await widget.getByRole("textbox").fill("Samsung UE43");
      await widget.getByRole("textbox").press("Enter");
      await widget.getByText(text.support.sendFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "support-draft",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const widget = await supportWidget(stage);
      await widget.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer: DOT });
      await widget.getByRole("button", { name: stage.text.support.removeImage(1) }).waitFor(PATIENCE);
      await widget.getByRole("textbox").fill("Samsung UE43\n2021\nAndroid TV");
    },
  },
  {
    name: "support-tickets",
    who: "marina",
    async open(stage) {
      await (await tickets(stage)).getByRole("button", { name: /Обрывается видео/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "support-no-tickets",
    isVariant: true,
    who: "oleg",
    async open(stage) {
      await (await tickets(stage)).getByText(stage.text.support.ticketsEmpty).waitFor(PATIENCE);
    },
  },
  {
    name: "support-ticket",
    who: "marina",
    async open(stage) {
      const widget = await tickets(stage);
      await widget.getByRole("button", { name: /Обрывается видео/ }).click(PATIENCE);
      await widget.getByRole("article").last().waitFor(PATIENCE);
    },
  },
  {
    name: "support-new-ticket",
    who: "marina",
    async open(stage) {
      const { text } = stage;
      const widget = await tickets(stage);
      await widget.getByRole("button", { name: text.support.createTicket }).click(PATIENCE);
      await widget.getByRole("button", { name: text.support.create, exact: true }).click(PATIENCE);
      await widget.getByText(text.support.subjectMissing).waitFor(PATIENCE);
    },
  },
];
