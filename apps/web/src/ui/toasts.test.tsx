import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { ru } from "../lib/i18n/ru.ts";
import { useCommand } from "../lib/use-command.ts";
import { screens } from "../testing/open-page.tsx";
import { renderPart } from "../testing/render-part.tsx";
import { ToastHost } from "./toast-host.tsx";
import { useToast } from "./toasts.tsx";

screens();
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

function show(speakers: React.ReactNode) {
  renderPart(
    <>
      <ToastHost />
      {speakers}
    </>,
  );
}

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
  show(<Speaker />);
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

/** A button that gives a command about a thing. It fails until `works`. */
function Button({ of, works, readings }: { of: string; works: () => boolean; readings: () => number }) {
  const toast = useToast();
  const { mutate } = useCommand({
    mutationFn: async (_: { id: string; readings: number }) => {
      if (!works()) throw new Error("no");
    },
    onError: () => toast("bad", `${of}: не вышло`),
  });
  return (
    <button type="button" onClick={() => mutate({ id: of, readings: readings() })}>
      {of}
    </button>
  );
}

test("a failure is shown once, and goes when the same command is given again, but not with another one", async () => {
  let works = false;
  let readings = 0;
  const press = (of: string) => fireEvent.click(screen.getByRole("button", { name: of }));
  const failures = (of: string) => screen.queryAllByText(`${of}: не вышло`).length;
  show(["Один", "Другой"].map((of) => <Button key={of} of={of} works={() => works} readings={() => ++readings} />));
  for (const of of ["Один", "Один", "Другой", "Другой"]) {
    press(of);
    await waitFor(() => expect(failures(of)).toBe(1));
  }
  expect([failures("Один"), failures("Другой")]).toEqual([1, 1]);
  works = true;
  press("Один");
  await waitFor(() => expect(failures("Один")).toBe(0));
  expect(failures("Другой")).toBe(1);
});
