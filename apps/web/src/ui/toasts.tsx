import { useCallback } from "react";
import { makeCode } from "../lib/code.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { Ring } from "./ring.tsx";

/** What is under a toast on a phone is uncovered by a touch, once the words have been there so long. */
const READ_AFTER_MS = 2_000;
const PHONE = "(max-width: 47.99em)";

const code = makeCode(() => import("@mantine/notifications"));

/** Calls `hide` when somebody touches or scrolls the page, and not before the words could be read. */
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

/** A toast that is closed by keys gives the focus back to where it came from: it would be lost with the button. */
function focusBack() {
  let button: EventTarget | null = null;
  let before: EventTarget | null = null;
  return {
    onFocus({ currentTarget, relatedTarget }: React.FocusEvent) {
      // By touch or mouse it stays away: on a phone a field that gets it opens the keyboard.
      if (currentTarget.matches(":focus-visible")) [button, before] = [currentTarget, relatedTarget];
    },
    onClose() {
      if (document.activeElement === button && before instanceof HTMLElement) before.focus({ preventScroll: true });
    },
  };
}

/**
 * Says in passing what went well or wrong. Good news does not block what is below, and on a phone gives way to the next touch;
 * errors stay until closed.
 */
export function useToast() {
  const { common } = useText();
  return useCallback(
    async (kind: "good" | "bad", message: string) => {
      const toasts = await code.load();
      const { onFocus, onClose } = focusBack();
      const id = toasts?.notifications.show({
        message,
        icon: <Ring state={kind === "good" ? "done" : "bad"} size={22} />,
        className: kind,
        autoClose: kind === "bad" ? false : 6000,
        withCloseButton: kind === "bad",
        closeButtonProps: { "aria-label": common.close, onFocus },
        onClose,
      });
      if (id && kind === "good" && matchMedia(PHONE).matches) atNextTouch(() => toasts?.notifications.hide(id));
    },
    [common.close],
  );
}
