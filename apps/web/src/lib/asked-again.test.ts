import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchPresses } from "./asked-again.ts";
import { ASKED, press } from "./code.ts";
import { keepForTab } from "./kept.ts";

let leave = () => {};
/** The names of the buttons that were pressed, in their order. */
let pressed: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => {};
  vi.spyOn(Element.prototype, "getClientRects").mockReturnValue([{}] as unknown as DOMRectList);
});
afterEach(() => {
  leave();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A page as a reload brings it: nothing is open. */
function load(html: string) {
  leave();
  document.body.innerHTML = html;
  pressed = [];
  for (const button of document.querySelectorAll("button"))
    button.addEventListener("click", () => pressed.push(button.id));
  leave = watchPresses();
}

/** As a dialog does whose code is gone. */
function pressAndReload(id: string, html: string) {
  let asked: string | null = null;
  const button = document.getElementById(id);
  button?.addEventListener("click", () => (asked = press.asked));
  button?.click();
  keepForTab(ASKED, asked);
  load(html);
}

const later = (ms: number) => vi.advanceTimersByTime(ms);
const LIST = '<button id="anna">Изменить</button><button id="boris">Изменить</button>';

test("of those with one name the same one is pressed again, once all of them are there", () => {
  load(LIST);
  pressAndReload("boris", '<button id="anna">Изменить</button>');
  later(1_000);
  expect(pressed).toEqual([]);
  document.body.insertAdjacentHTML("beforeend", '<button id="boris">Изменить</button>');
  document.getElementById("boris")?.addEventListener("click", () => pressed.push("boris"));
  later(1_000);
  expect(pressed).toEqual(["boris"]);
  load(LIST);
  later(1_000);
  expect(pressed, "once").toEqual([]);
});

test("an item of a menu is reached by the menu's button", () => {
  const more = '<button id="more" aria-label="Действия: Анна"></button>';
  load(`${more}<div role="menu" aria-labelledby="more"><button id="item" role="menuitem">Написать</button></div>`);
  pressAndReload("item", more);
  document
    .getElementById("more")
    ?.addEventListener("click", () =>
      document.body.insertAdjacentHTML("beforeend", '<button role="menuitem">Написать</button>'),
    );
  const onItem = vi.fn();
  document.body.addEventListener("click", ({ target }) => (target as Element).matches("[role=menuitem]") && onItem());
  later(1_000);
  expect(pressed).toEqual(["more"]);
  expect(onItem).toHaveBeenCalledTimes(1);
});

test("what opens after a command, or over a dialog, is not asked again", () => {
  load(`${LIST}<div role="dialog"><button id="send">Отправить</button></div>`);
  document.getElementById("anna")?.click();
  later(1);
  expect(press.asked, "the press is over").toBeNull();
  document.getElementById("send")?.click();
  expect(press.asked, "its dialog is gone after a reload").toBeNull();
});

test("it waits while a dialog asks something first, and not for ever", () => {
  load(LIST);
  pressAndReload("anna", `${LIST}<div role="dialog"></div>`);
  later(5_000);
  expect(pressed).toEqual([]);
  document.querySelector("[role=dialog]")?.remove();
  later(1_000);
  expect(pressed).toEqual(["anna"]);
  pressAndReload("anna", `${LIST}<div role="dialog"></div>`);
  later(61_000);
  document.querySelector("[role=dialog]")?.remove();
  later(1_000);
  expect(pressed).toEqual([]);
});
