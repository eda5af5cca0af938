import { useCallback } from "react";
import { makeCode } from "../lib/code.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { Ring } from "./ring.tsx";

const code = makeCode(() => import("@mantine/notifications"));

/** Says in passing what went well or wrong. Good news does not block what is below; errors stay until closed. */
export function useToast() {
  const { common } = useText();
  return useCallback(
    async (kind: "good" | "bad", message: string) => {
      const toasts = await code.load();
      toasts?.notifications.show({
        message,
        icon: <Ring state={kind === "good" ? "done" : "bad"} size={22} />,
        className: kind,
        autoClose: kind === "bad" ? false : 6000,
        withCloseButton: kind === "bad",
        closeButtonProps: { "aria-label": common.close },
      });
    },
    [common.close],
  );
}
