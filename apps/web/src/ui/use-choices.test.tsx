import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useChoices } from "./use-choices.ts";

const NAMES = ["anna", "boris", "vera"];
const taken = vi.fn<(name: string) => void>();
const around = vi.fn<(key: string) => void>();
beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
  taken.mockClear();
  around.mockClear();
});

afterEach(cleanup);

function Finder({ startsOpen = true }: { startsOpen?: boolean }) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(startsOpen);
  const choices = NAMES.filter((name) => name.includes(typed));
  const { field, listId, option } = useChoices({ choices, keyOf: (name) => name, onTake: taken, isOpen, setOpen });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for a dialog, which Escape closes
    <div onKeyDown={(event) => around(event.key)}>
      <input {...field} aria-label="Member" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      <div id={listId} role="listbox" aria-label="Matches" hidden={!isOpen}>
        {choices.map((name) => (
          <div key={name} {...option(name)}>
            {name}
          </div>
        ))}
      </div>
    </div>
  );
}
const field = () => screen.getByRole("combobox");
const press = (key: string) => fireEvent.keyDown(field(), { key });
/** What a screen reader gets: the field's current option and the option's own state must agree. */
const current = () => {
  const named = document.getElementById(field().getAttribute("aria-activedescendant") ?? "");
  const selected = screen.queryAllByRole("option", { selected: true });
  expect(selected).toEqual(named === null ? [] : [named]);
  return named?.textContent ?? null;
};

test("the first choice is current from the start and after other choices load; Enter takes it", () => {
  render(<Finder />);
  expect(current()).toBe("anna");
  press("ArrowDown");
  press("ArrowDown");
  expect(current()).toBe("vera");
  fireEvent.change(field(), { target: { value: "r" } });
  expect(current()).toBe("boris");
  press("Enter");
  expect(taken).toHaveBeenCalledWith("boris");
});

test("arrows wrap around at both ends", () => {
  render(<Finder />);
  press("ArrowUp");
  expect(current()).toBe("vera");
  press("ArrowDown");
  expect(current()).toBe("anna");
});

test("an arrow opens a closed list; Escape first closes only the list, then what surrounds it", () => {
  render(<Finder startsOpen={false} />);
  expect([current(), field().getAttribute("aria-expanded")]).toEqual([null, "false"]);
  press("ArrowDown");
  expect([current(), field().getAttribute("aria-expanded")]).toEqual(["anna", "true"]);
  press("Escape");
  expect(field().getAttribute("aria-expanded")).toBe("false");
  expect(around).not.toHaveBeenCalledWith("Escape");
  press("Escape");
  expect(around).toHaveBeenCalledWith("Escape");
});

test("Enter submits the form if nothing is found, and does nothing while letters are being composed", () => {
  render(<Finder />);
  fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
  expect(taken).not.toHaveBeenCalled();
  fireEvent.change(field(), { target: { value: "nobody" } });
  expect([current(), field().getAttribute("aria-expanded")]).toEqual([null, "false"]);
  expect(press("Enter")).toBe(true);
});

test("a tap takes a choice and leaves the focus in the field", () => {
  render(<Finder />);
  const boris = screen.getByRole("option", { name: "boris" });
  expect(fireEvent.mouseDown(boris)).toBe(false);
  fireEvent.click(boris);
  expect(taken).toHaveBeenCalledWith("boris");
});
