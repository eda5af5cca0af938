import { type KeyboardEvent, type MouseEvent, useEffect, useId, useState } from "react";

interface Wish<Choice> {
  /** In display order. */
  choices: readonly Choice[];
  keyOf: (choice: Choice) => string;
  onTake: (choice: Choice) => void;
  isOpen: boolean;
  /** The choices shown are not yet those for the typed text: Enter waits, and takes the first that loads. */
  isComing?: boolean;
  /** For a list that opens and closes: an arrow opens it, Escape closes it and nothing around it. */
  setOpen?: (isOpen: boolean) => void;
}

/**
 * A field that finds choices and shows them in a list below: a combobox by the ARIA pattern. The focus stays in the field. Arrows move
 * among the choices, Enter or a tap takes one. The first is current from the start, and again after other choices load, and
 * screen readers are notified. (The component library's combobox names the current one only after an arrow key.)
 */
export function useChoices<Choice>({ choices, keyOf, onTake, isOpen, isComing = false, setOpen }: Wish<Choice>) {
  const listId = useId();
  const [at, setAt] = useState(0);
  const shown = choices.map(keyOf).join(" ");
  const [shownBefore, setShownBefore] = useState(shown);
  if (shown !== shownBefore) {
    setShownBefore(shown);
    setAt(0);
  }
  const idOf = (choice: Choice) => `${listId}-${keyOf(choice)}`;
  const current = isOpen ? choices[at] : undefined;
  const currentId = current && idOf(current);
  useEffect(() => {
    if (currentId) document.getElementById(currentId)?.scrollIntoView({ block: "nearest" });
  }, [currentId]);

  const take = (choice: Choice) => {
    setAt(0);
    onTake(choice);
  };
  const [entered, setEntered] = useState(false);
  useEffect(() => {
    if (!entered || isComing) return;
    setEntered(false);
    if (current) take(current);
  });
  const steer = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    setEntered(event.key === "Enter" && isOpen && isComing);
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) setOpen?.(true);
      else if (choices.length > 0) setAt((at + step + choices.length) % choices.length);
    } else if (event.key === "Enter" && isOpen && (current || isComing)) {
      event.preventDefault();
      if (current && !isComing) take(current);
    } else if (event.key === "Escape" && isOpen && setOpen) {
      event.stopPropagation();
      setOpen(false);
    }
  };

  return {
    field: {
      role: "combobox",
      "aria-expanded": isOpen && choices.length > 0,
      "aria-controls": listId,
      "aria-autocomplete": "list",
      "aria-activedescendant": currentId,
      onKeyDown: steer,
      autoComplete: "off",
      spellCheck: false,
    },
    /** Of the list, whose role is `listbox`. */
    listId,
    option: (choice: Choice) => ({
      id: idOf(choice),
      role: "option",
      "aria-selected": choice === current,
      tabIndex: -1,
      // Otherwise the field would lose the focus.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => take(choice),
    }),
  } as const;
}
