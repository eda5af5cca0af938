import { act, cleanup, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, expect, test } from "vitest";

afterEach(cleanup);

/** Counts a press, and by an effect each count once more. */
function Counter() {
  const [pressed, setPressed] = useState(0);
  const [seen, setSeen] = useState(0);
  useEffect(() => setSeen(pressed), [pressed]);
  return (
    <button type="button" onClick={() => setPressed(pressed + 1)}>
      {pressed} {seen}
    </button>
  );
}

test("an event's changes and those of their effects are drawn when it is over", () => {
  render(<Counter />);
  const button = screen.getByRole("button", { name: "0 0" });
  act(() => button.click());
  expect(button.textContent).toBe("1 1");
});

test("what a promise changes is drawn for those who wait for the act", async () => {
  render(<Counter />);
  const button = screen.getByRole("button", { name: "0 0" });
  const answer = await act(async () => {
    await Promise.resolve();
    button.click();
    return "done";
  });
  expect(answer).toBe("done");
  expect(button.textContent).toBe("1 1");
});

test("a failed act fails for those who wait for it", async () => {
  await expect(act(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
});

test("it is the build that members run", async () => {
  const { createElement } = await import("react");
  expect(Object.keys(createElement("a"))).not.toContain("_owner");
});
