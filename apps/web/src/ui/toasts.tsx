import { useCallback } from "react";
import { makeCode } from "../lib/code.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { untilTriedAgain } from "../lib/use-command.ts";
import { Ring } from "./ring.tsx";

/** On a phone, once a toast has been visible this long, a touch removes it. */
const READ_AFTER_MS = 2_000;
const PHONE = "(max-width: 47.99em)";

const code = makeCode(() => import("@mantine/notifications"));

/** Calls `hide` when somebody touches or scrolls the page, but not before the text could be read. */
function atNextTouch(hide: () => void): void {
  const readAt = performance.now() + READ_AFTER_MS;
  const stop = new AbortController();
  const leave = () => {
    stop.abort();
    setTimeout(hide, Math.max(0, readAt - performance.now()));
  };
  for (const event of ["pointerdown", "scroll"])
    addEventListener(event, leave, { capture: true, passive: true, signal: stop.signal });
}

/** A toast closed by keyboard returns the focus to where it came from. Otherwise it would be lost with the button. */
function focusBack() {
  let button: EventTarget | null = null;
  let before: EventTarget | null = null;
  return {
    onFocus({ currentTarget, relatedTarget }: React.FocusEvent) {
      // After a touch or a click it does not return: on a phone a focused field opens the keyboard.
      if (currentTarget.matches(":focus-visible")) [button, before] = [currentTarget, relatedTarget];
    },
    onClose() {
      if (document.activeElement === button && before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
  };
}

/**
 * Reports briefly what went well or wrong. Good news does not block what is below, and on a phone disappears at the next touch.
 * Errors stay until closed, or until the command that failed is given again. The same error is shown once.
 */
export function useToast() {
  const { common } = useText();
  return useCallback(
    async (kind: "good" | "bad", message: string) => {
      const hide = () => void code.state().value?.notifications.hide(message);
      if (kind === "bad") untilTriedAgain(hide);
      const toasts = await code.load();
      const { onFocus, onClose } = focusBack();
      const id = toasts?.notifications.show({
        ...(kind === "bad" && { id: message }),
        message,
        icon: <Ring state={kind === "good" ? "done" : "bad"} size={22} />,
        className: kind,
        autoClose: kind === "bad" ? false : 6000,
        withCloseButton: kind === "bad",
        closeButtonProps: { "aria-label": common.close, onFocus },
        onClose,
      });
      if (id && kind === "good" && matchMedia(PHONE).matches) atNextTouch(() => toasts?.notifications.hide(id));
      return hide;
    },
    [common.close],
  );
}
