import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdSpot } from "./hold-spot.ts";

/** Everything is at one spot, and what came last is on top. */
const under = () => document.body.lastElementChild;
const at = { clientX: 100, clientY: 100, bubbles: true };
/** `timeStamp`: when the finger was there, ms. */
const press = (detail = 1, timeStamp = performance.now()) => {
  const click = new MouseEvent("click", { ...at, detail });
  Object.defineProperty(click, "timeStamp", { value: timeStamp });
  under()?.dispatchEvent(click);
};
const frames = () => vi.advanceTimersByTime(50);
const button = (onClick: () => void) => {
  const made = document.createElement("button");
  made.addEventListener("click", onClick);
  return made;
};
let end = () => {};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["requestAnimationFrame", "cancelAnimationFrame", "performance"] });
  document.elementFromPoint = under;
  end = holdSpot();
});
afterEach(() => {
  end();
  document.body.replaceChildren();
  Reflect.deleteProperty(document, "elementFromPoint");
  vi.useRealTimers();
});

const pressed: string[] = [];
/** 'Open' opens a dialog whose button lies over it. */
const open = () => {
  pressed.length = 0;
  const confirm = button(() => pressed.push("confirm"));
  document.body.append(
    button(() => {
      pressed.push("open");
      document.body.append(confirm);
    }),
  );
};

test("a second press finds nothing that came under the finger, and later the new button can be pressed", () => {
  open();
  press();
  frames();
  press();
  expect(pressed).toEqual(["open"]);
  vi.advanceTimersByTime(450);
  press();
  expect(pressed).toEqual(["open", "confirm"]);
});

test("a second press finds nothing that came under the finger of a busy page, which learns of the press late", () => {
  open();
  const start = performance.now();
  press();
  vi.advanceTimersByTime(2_000);
  press(1, start + 250);
  expect(pressed).toEqual(["open"]);
  press();
  expect(pressed).toEqual(["open", "confirm"]);
});

test("what a closing dialog had covered takes no second press either", () => {
  pressed.length = 0;
  document.body.append(button(() => pressed.push("another member")));
  const close = button(() => close.remove());
  document.body.append(close);
  press();
  frames();
  press();
  expect(pressed).toEqual([]);
});

test("a second press on what has opened does not close it again", () => {
  pressed.length = 0;
  const around = document.createElement("div");
  around.addEventListener("click", () => pressed.push("closed"));
  document.body.append(button(() => document.body.append(around)));
  press();
  frames();
  press();
  expect(pressed).toEqual([]);
});

test("a second press does not switch back what the first one switched on", () => {
  pressed.length = 0;
  const chip = button(() => {
    const isOn = chip.getAttribute("aria-pressed") !== "true";
    chip.setAttribute("aria-pressed", String(isOn));
    pressed.push(isOn ? "on" : "off");
  });
  chip.setAttribute("aria-pressed", "false");
  document.body.append(chip);
  press();
  frames();
  press();
  expect(pressed).toEqual(["on"]);
  vi.advanceTimersByTime(450);
  press();
  expect(pressed).toEqual(["on", "off"]);
});

test("one button may be pressed again at once, and keys press what has the focus", () => {
  pressed.length = 0;
  const more = button(() => pressed.push("more"));
  document.body.append(more);
  press();
  frames();
  press();
  expect(pressed).toEqual(["more", "more"]);
  open();
  press(0);
  frames();
  press(0);
  expect(pressed).toEqual(["open", "confirm"]);
});
