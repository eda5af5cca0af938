import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { person } from "../../../lib/person.ts";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { renderPart } from "../../../testing/render-part.tsx";
import { ToastHost } from "../../../ui/toast-host.tsx";
import { useUndoToast } from "./index.ts";
import { offerAgain } from "./undo-toast.tsx";

screens();
afterEach(() => vi.useRealTimers());

const ACT = "0123456789abcdef0123456789abcdef";
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const offered = () => screen.queryByRole("button", { name: "Отменить" });

function page(says: Panel, press = () => {}) {
  const { asked } = panel(says);
  function Confirm() {
    const undoToast = useUndoToast();
    const offer = { of: "payments" as const, act: ACT, message: "Оплата подтверждена", onUndone: press };
    return (
      <button type="button" onClick={() => void undoToast(offer)}>
        Подтвердить
      </button>
    );
  }
  renderPart(
    <>
      <ToastHost />
      <Confirm />
    </>,
  );
  return { asked: () => asked("POST /admin/payments/undo") };
}
async function confirm() {
  fireEvent.click(screen.getByRole("button", { name: "Подтвердить" }));
  // Its code may take any time to load; of the time that is offered, little passes meanwhile.
  await act(() => vi.waitFor(() => screen.getByText("Оплата подтверждена"), { interval: 1, timeout: 20_000 }));
}
const undo = async () => {
  fireEvent.click(screen.getByRole("button", { name: "Отменить" }));
  await pass(500);
};

test("for 10 s a press undoes what was done, to the last of many", async () => {
  vi.useFakeTimers();
  const undone = vi.fn();
  const answers = [
    { undone: 250, refused: [], after: "00000000-0000-4000-8000-000000000001" },
    { undone: 50, refused: [], after: null },
  ];
  const { asked } = page({ "POST /admin/payments/undo": () => answers.shift() ?? refused(500, "internal") }, undone);
  await confirm();
  await pass(9_000);
  fireEvent.pointerDown(document.body);
  await undo();
  expect(asked().map(({ body }) => body)).toEqual([
    { act: ACT, after: null },
    { act: ACT, after: "00000000-0000-4000-8000-000000000001" },
  ]);
  expect(screen.getByText("Отменено, всё как было")).toBeTruthy();
  expect(undone).toHaveBeenCalledOnce();
  await pass(1_000);
  expect(offered()).toBeNull();
});

test("after that it is not offered any more, not even after a reload", async () => {
  vi.useFakeTimers();
  page({});
  await confirm();
  await pass(11_000);
  expect(offered()).toBeNull();
  act(offerAgain);
  await pass(100);
  expect(offered()).toBeNull();
});

test("a reload in between keeps the offer for the rest of its time", async () => {
  vi.useFakeTimers();
  sessionStorage.setItem(
    "krug.undo",
    JSON.stringify({ of: "payments", act: ACT, message: "Оплата подтверждена", until: Date.now() + 4_000 }),
  );
  const { asked } = page({ "POST /admin/payments/undo": { undone: 1, refused: [], after: null } });
  act(offerAgain);
  await pass(3_000);
  await undo();
  expect(asked()).toHaveLength(1);
  expect(sessionStorage.getItem("krug.undo")).toBeNull();
});

test("the next person in the tab is not offered it", async () => {
  vi.useFakeTimers();
  person.is("00000000-0000-4000-8000-000000000001");
  page({});
  await confirm();
  act(() => person.is("00000000-0000-4000-8000-000000000002"));
  await pass(500);
  expect(offered()).toBeNull();
});

test("who stays as they are is named with the reason", async () => {
  vi.useFakeTimers();
  const why = "После этого подписку или оплату уже изменили.";
  const left = { id: ACT, username: "pavel", displayName: "Павел", code: "undo.changed_meanwhile", message: why };
  page({ "POST /admin/payments/undo": { undone: 2, refused: [left], after: null } });
  await confirm();
  await undo();
  expect(screen.getByText(`Отменено у 2 участников. Не отменено: Павел. ${why}`)).toBeTruthy();
});

test("without a connection it can be pressed again while there is time", async () => {
  vi.useFakeTimers();
  let isSilent = true;
  page({
    "POST /admin/payments/undo": () => (isSilent ? "silence" : { undone: 1, refused: [], after: null }),
  });
  await confirm();
  await undo();
  expect(screen.getByText(/Не получилось отменить/)).toBeTruthy();
  isSilent = false;
  await undo();
  expect(screen.getByText("Отменено, всё как было")).toBeTruthy();
});
