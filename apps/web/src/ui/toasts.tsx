import { useCallback } from "react";
import { useText } from "../lib/i18n/use-text.tsx";
import { Ring } from "./ring.tsx";

/** Says in passing what went well or wrong. Errors stay until they are closed. */
export function useToast() {
  const { common } = useText();
  return useCallback(
    async (kind: "good" | "bad", message: string) => {
      const { notifications } = await import("@mantine/notifications");
      notifications.show({
        message,
        icon: <Ring state={kind === "good" ? "done" : "bad"} size={22} />,
        autoClose: kind === "bad" ? false : 6000,
        closeButtonProps: { "aria-label": common.close },
      });
    },
    [common.close],
  );
}
