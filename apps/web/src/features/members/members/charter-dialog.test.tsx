import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { charter } from "../../../lib/i18n/ru/charter.ts";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { member } from "../../../testing/samples.ts";

screens();

const ACCEPT = "Я принимаю правила клуба";
const PATIENCE = { timeout: 8000 };

/** Opens the dashboard of a member who has not accepted yet. The text is `whole` px high and 400 of them are visible. */
function open(whole: number, says: Panel = {}) {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly tell: () => void;
      constructor(tell: () => void) {
        this.tell = tell;
      }
      observe() {
        queueMicrotask(this.tell);
      }
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(400);
  vi.spyOn(Element.prototype, "scrollHeight", "get").mockReturnValue(whole);
  const club = panel({
    "GET /auth/me": member({ hasAcceptedRules: false }),
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
    "GET /users/{id}/invited": [],
    "POST /users/accept-rules": member(),
    ...says,
  });
  return { ...club, ...openPage("/dashboard") };
}
const opened = () => screen.findByRole("dialog", { name: "Устав клуба" });
const scrollTo = async (top: number) => {
  const text = within(await opened()).getByRole("region", { name: "Устав клуба" });
  text.scrollTop = top;
  fireEvent.scroll(text);
};

test("a member who has accepted the rules is not asked again", async () => {
  open(400, { "GET /auth/me": member() });
  await screen.findByRole("heading", { name: "Здравствуйте, Марина" });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("it has six sections and a list that links to each of them", async () => {
  const { user } = open(2000);
  const dialog = within(await opened());
  const names = charter.sections.map(({ title }) => title);
  expect(dialog.getAllByRole("heading", { level: 3 }).map((one) => one.textContent)).toEqual(names);
  expect(names).toHaveLength(6);
  for (const name of names) {
    await user.click(within(dialog.getByRole("navigation")).getByRole("button", { name }));
    expect(document.activeElement).toBe(dialog.getByRole("heading", { name }));
  }
});

test("the button appears only after three seconds and scrolling to the bottom, of which ten pixels may be missing", async () => {
  open(2000);
  const dialog = within(await opened());
  expect(dialog.getByText("Прочитайте устав: 3")).toBeTruthy();
  await dialog.findByText("Прочитайте устав: 1", {}, PATIENCE);
  expect(dialog.queryByText("Спасибо, что прочитали устав")).toBeNull();
  await dialog.findByText("Спасибо, что прочитали устав", {}, PATIENCE);
  expect(dialog.queryByRole("button", { name: ACCEPT })).toBeNull();
  expect(dialog.getByText(charter.scroll)).toBeTruthy();
  await scrollTo(1589);
  expect(dialog.queryByRole("button", { name: ACCEPT })).toBeNull();
  await scrollTo(1590);
  expect(dialog.getByRole("button", { name: ACCEPT })).toBeTruthy();
  // Having reached the bottom once counts: a reader may scroll back.
  await scrollTo(0);
  expect(dialog.getByRole("button", { name: ACCEPT })).toBeTruthy();
});

test("a reader at the bottom before the countdown has ended waits for it", async () => {
  open(2000);
  const dialog = within(await opened());
  await scrollTo(1600);
  expect(dialog.queryByRole("button", { name: ACCEPT })).toBeNull();
  await dialog.findByRole("button", { name: ACCEPT }, PATIENCE);
});

test("if everything fits there is nothing to scroll: the countdown is enough, and accepting opens the page", async () => {
  const { user, asked } = open(400);
  const dialog = within(await opened());
  expect(dialog.queryByRole("button", { name: ACCEPT })).toBeNull();
  await user.click(await dialog.findByRole("button", { name: ACCEPT }, PATIENCE));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("POST /users/accept-rules")).toHaveLength(1);
});

test("a failure is shown in the specified words and can be retried", async () => {
  const { user, say } = open(400, { "POST /users/accept-rules": refused(500, "unexpected", "Внутренняя ошибка") });
  const dialog = within(await opened());
  const button = await dialog.findByRole("button", { name: ACCEPT }, PATIENCE);
  await user.click(button);
  await waitFor(() => expect(dialog.getByRole("alert").textContent).toBe("Ошибка при сохранении принятия правил"));
  say({ "POST /users/accept-rules": member() });
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("it cannot be closed, but one can sign out", async () => {
  const { user, address } = open(2000, { "POST /auth/logout": undefined });
  const dialog = within(await opened());
  await user.keyboard("{Escape}");
  expect(dialog.queryByRole("button", { name: "Закрыть" })).toBeNull();
  await user.click(within(await opened()).getByRole("button", { name: "Выйти" }));
  await waitFor(() => expect(address()).toBe("/login"));
});
