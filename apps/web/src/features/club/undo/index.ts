import { useCallback } from "react";
import { makeCode } from "../../../lib/code.ts";
import { useToast } from "../../../ui/toasts.tsx";
import type { Offer } from "./offer.ts";

export { idempotencyKey as newAct } from "../../../lib/idempotency-key.ts";

const code = makeCode(() => import("./undo-toast.tsx"), { reloads: false });

/** Reports what went well, with 'Undo' for as long as the panel takes it back. A reload in between keeps the offer. */
export function useUndoToast() {
  const toast = useToast();
  return useCallback(
    async (offer: Omit<Offer, "until">) => {
      const loaded = await code.load();
      if (loaded) loaded.offerUndo(offer);
      else await toast("good", offer.message);
    },
    [toast],
  );
}
