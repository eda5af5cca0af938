import { notifications } from "@mantine/notifications";
import { createMemoryHistory } from "@tanstack/react-router";
import { cleanup, configure, prettyDOM, render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { App } from "../app/app.tsx";
import { makePage } from "../app/page.ts";
import { Providers } from "../app/providers.tsx";
import { gate } from "../features/access/security-gate/gate.ts";
import { availability } from "../lib/availability.ts";
import { putShelf, type Shelf } from "../lib/begun.ts";
import { setAhead } from "../lib/club-clock.ts";
import { ru } from "../lib/i18n/ru.ts";
import { person } from "../lib/person.ts";
import { passwordFormProblems } from "./password-forms.ts";
import { plainStyles } from "./plain-styles.ts";
import { findLabelsQuickly } from "./quick-labels.ts";

// The first test of a file also waits until its screen's code is loaded.
configure({
  asyncUtilTimeout: 20_000,
  // The library would print the page at each retry. A failed test prints it once, see below.
  getElementError: (message) => new Error(message ?? "not found"),
});

/** What jsdom lacks and the component library asks for. */
function furnish() {
  vi.stubGlobal("matchMedia", (media: string) => ({
    matches: false,
    media,
    addEventListener() {},
    removeEventListener() {},
    addListener() {},
    removeListener() {},
  }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("scrollTo", () => {});
  vi.stubGlobal("getComputedStyle", plainStyles);
  if (document.defaultView) document.defaultView.getComputedStyle = plainStyles;
  findLabelsQuickly(window);
  Object.defineProperty(navigator, "languages", { get: () => ["ru-RU"], configurable: true });
  // A text box that grows measures itself again when a font comes.
  Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });
  Element.prototype.scrollIntoView = () => {};
}

const isNotDrawing = (node: Node) => node.nodeName.toLowerCase() !== "svg";

/** What the browser's database would keep, as long as a test. */
function shelf(): Shelf {
  const all = new Map<string, Map<string, unknown>>();
  vi.stubGlobal("indexedDB", { deleteDatabase: () => all.clear() });
  return {
    async read(owner) {
      for (const other of [...all.keys()]) if (other !== owner) all.delete(other);
      return [...(all.get(owner) ?? [])];
    },
    put(owner, place, value) {
      const own = all.get(owner) ?? new Map();
      all.set(owner, own);
      if (value === undefined) own.delete(place);
      else own.set(place, value);
    },
  };
}

/** Call once at the top of a file of screen tests. */
export function screens() {
  beforeEach(() => {
    document.documentElement.lang = "ru";
    localStorage.clear();
    sessionStorage.clear();
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
    for (const part of document.cookie.split("; ")) document.cookie = `${part.split("=")[0]}=; Path=/; Max-Age=0`;
    gate.reset();
    person.reopen();
    putShelf(shelf());
    notifications.clean();
    furnish();
    availability.up();
    setAhead(0);
  });
  afterEach(({ task }) => {
    if (task.result?.state === "fail") console.error(prettyDOM(document.body, 60_000, { filterNode: isNotDrawing }));
    const problems = passwordFormProblems();
    cleanup();
    vi.unstubAllGlobals();
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    // A page fetches code ahead. An import that the end of the file cuts off would fail for the files after it too.
    await vi.dynamicImportSettled();
    // Dialogs that were still open give their entries of the history back in later turns, which need a window. A turn that was
    // planned under a test's own timers is gone with them, so it is asked for again.
    dispatchEvent(new PopStateEvent("popstate"));
    await vi.waitFor(() => expect(history.state?.layers ?? 0).toBe(0));
    await new Promise((given) => setTimeout(given));
  });
}

/** Opens the application at an address, as a browser would. */
export function openPage(address: string) {
  const { queryClient, router } = makePage(createMemoryHistory({ initialEntries: [address] }));
  render(
    <Providers queryClient={queryClient} spoken={{ language: "ru", text: ru }} env="test">
      <App router={router} queryClient={queryClient} />
    </Providers>,
  );
  return { user: userEvent.setup({ delay: null }), address: () => router.state.location.href };
}

/** The same tab after a reload, by the same browser. */
export function reopenPage(address: string) {
  cleanup();
  person.reopen();
  return openPage(address);
}
