import { act, cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeAll, expect, test } from "vitest";
import { keepUp } from "./translated-pages.ts";

beforeAll(keepUp);
afterEach(cleanup);

/** As Chrome does: every text moves into two elements, or is replaced by them. */
async function translate(container: HTMLElement, keepsTexts = false) {
  const walker = document.createTreeWalker(container, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts) {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    text.replaceWith(outer);
    if (keepsTexts) inner.append(text);
    else inner.textContent = `[${text.data}]`;
    outer.append(inner);
  }
  await act(() => Promise.resolve());
}

let show: (wish: { count: number; more: boolean }) => void;
function Page() {
  const [{ count, more }, set] = useState({ count: 1, more: true });
  show = (wish) => act(() => set(wish));
  return (
    <p>
      Всего {count}
      {more && <>, ещё есть</>}
      {!more && <b>конец</b>} ряд
    </p>
  );
}

test.each([false, true])("a translated page still updates (its texts moved: %s)", async (keepsTexts) => {
  const { container } = render(<Page />);
  await translate(container, keepsTexts);
  show({ count: 1, more: false });
  expect(container.textContent).not.toContain("ещё есть");
  screen.getByText("конец");
  expect(container.textContent?.indexOf("конец")).toBeLessThan(container.textContent?.indexOf("ряд") ?? 0);
  show({ count: 22, more: false });
  await act(() => Promise.resolve());
  expect(container.textContent).toContain("22");
  await translate(container, keepsTexts);
  show({ count: 333, more: true });
  await act(() => Promise.resolve());
  expect(container.textContent).toContain("333");
  expect(container.textContent).not.toContain("конец");
  cleanup();
  expect(container.textContent).toBe("");
});
