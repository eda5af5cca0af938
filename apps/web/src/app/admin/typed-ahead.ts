/** What is typed between the key that opens a field and the moment the field gets the focus. */
export interface TypedAhead {
  begin(): void;
  /** Returns what was typed, and stops listening so that the field gets the rest. */
  take(): string;
  /** Starts listening. Returns a function that stops it. */
  listen(): () => void;
}

export function makeTypedAhead(): TypedAhead {
  /** Null while nothing is opening. */
  let typed: string | null = null;
  const end = () => {
    typed = null;
  };
  const hear = (event: KeyboardEvent) => {
    if (typed === null || event.ctrlKey || event.metaKey || event.altKey) return;
    // Escape and Tab return to the page.
    if (event.key === "Escape" || event.key === "Tab") return end();
    if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if (event.key.length === 1) typed += event.key;
    // It would press what had the focus before.
    else if (event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    begin: () => {
      typed ??= "";
    },
    take() {
      const taken = typed ?? "";
      end();
      return taken;
    },
    listen() {
      window.addEventListener("keydown", hear, true);
      window.addEventListener("pointerdown", end, true);
      return () => {
        window.removeEventListener("keydown", hear, true);
        window.removeEventListener("pointerdown", end, true);
      };
    },
  };
}
