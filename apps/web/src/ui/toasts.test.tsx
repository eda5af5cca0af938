import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { Providers } from "../app/providers.tsx";
import { ru } from "../lib/i18n/ru.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { screens } from "../testing/open-page.tsx";
import { ToastHost } from "./toast-host.tsx";
import { useToast } from "./toasts.tsx";

screens();
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows a toast in a window of this kind. */
async function say(kind: "good" | "bad", { phone }: { phone: boolean }) {
  vi.useFakeTimers();
  const without = window.matchMedia;
  vi.stubGlobal("matchMedia", (media: string) => ({
    ...without(media),
    matches: phone && media.includes("max-width"),
  }));
  function Speaker() {
    const toast = useToast();
    return (
      <button type="button" onClick={() => void toast(kind, "Сохранено")}>
        Сказать
      </button>
    );
  }
  render(
    <Providers
      queryClient={makeQueryClient({ signedOut: () => {}, underMaintenance: () => {} })}
      spoken={{ language: "ru", text: ru }}
      env="test"
    >
      <ToastHost />
      <Speaker />
    </Providers>,
  );
  fireEvent.click(screen.getByRole("button", { name: "Сказать" }));
  await pass(100);
  expect(screen.getByText("Сохранено")).toBeTruthy();
}

test("on a phone good news disappears at the next touch or scroll, once it could be read", async () => {
  await say("good", { phone: true });
  fireEvent.scroll(document.body);
  await pass(1_000);
  expect(screen.getByText("Сохранено"), "it can be read first").toBeTruthy();
  await pass(1_500);
  expect(screen.queryByText("Сохранено")).toBeNull();
});

test("on a desktop it stays for its time", async () => {
  await say("good", { phone: false });
  fireEvent.pointerDown(document.body);
  await pass(4_000);
  expect(screen.getByText("Сохранено")).toBeTruthy();
  await pass(3_000);
  expect(screen.queryByText("Сохранено")).toBeNull();
});

test("a failure stays until it is closed", async () => {
  await say("bad", { phone: true });
  fireEvent.pointerDown(document.body);
  await pass(10_000);
  expect(screen.getByText("Сохранено")).toBeTruthy();
});

test("closed by keyboard it returns the focus to where it came from", async () => {
  await say("bad", { phone: false });
  const speaker = screen.getByRole("button", { name: "Сказать" });
  const close = screen.getByRole("button", { name: ru.common.close });
  speaker.focus();
  // Otherwise jsdom takes the focus for one by mouse, depending on what other files did.
  fireEvent.keyDown(document.body, { key: "Tab" });
  close.focus();
  fireEvent.click(close);
  await pass(1_000);
  expect(screen.queryByText("Сохранено")).toBeNull();
  expect(document.activeElement).toBe(speaker);
});
