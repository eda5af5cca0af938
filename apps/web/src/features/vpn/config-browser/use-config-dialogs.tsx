import { useState } from "react";
import { useNow } from "../../../lib/use-now.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { useMay } from "../../club/staff/index.ts";
import type { ListedConfig } from "./queries.ts";
import { useWake } from "./use-wake.ts";

const DetailsDialog = lazyDialog(() => import("./details-dialog.tsx").then(({ DetailsDialog }) => DetailsDialog));
const MoveDialog = lazyDialog(() => import("./move-dialog.tsx").then(({ MoveDialog }) => MoveDialog));
const ServicesDialog = lazyDialog(() => import("./services-dialog.tsx").then(({ ServicesDialog }) => ServicesDialog));
const EndDialog = lazyDialog(() => import("./end-dialog.tsx").then(({ EndDialog }) => EndDialog));
const RemovalDialog = lazyDialog(() => import("./removal-dialog.tsx").then(({ RemovalDialog }) => RemovalDialog));

/** A config's details, from which it can be moved and deleted, in the list of all and on its owner's page. `onGone`: it was deleted. */
export function useConfigDialogs({ onChange, onGone }: { onChange?: () => void; onGone?: () => void } = {}) {
  const mayChange = useMay("configs.change_any");
  const mayDelete = useMay("configs.delete_any");
  const nowMs = useNow(15_000);
  const wake = useWake(onChange);
  const [shown, setShown] = useState<ListedConfig | null>(null);
  const [moving, setMoving] = useState<ListedConfig | null>(null);
  const [choosing, setChoosing] = useState<ListedConfig | null>(null);
  const [ending, setEnding] = useState<ListedConfig | null>(null);
  const [removing, setRemoving] = useState<readonly ListedConfig[]>([]);
  return {
    open: setShown,
    move: setMoving,
    remove: setRemoving,
    dialogs: (
      <>
        {shown && (
          <DetailsDialog
            config={shown}
            nowMs={nowMs}
            onClose={() => setShown(null)}
            onMove={
              mayChange
                ? () => {
                    setShown(null);
                    setMoving(shown);
                  }
                : null
            }
            onWake={
              mayChange && shown.dormant !== null
                ? () => {
                    setShown(null);
                    wake(shown);
                  }
                : null
            }
            onEnd={
              mayChange
                ? () => {
                    setShown(null);
                    setEnding(shown);
                  }
                : null
            }
            onServices={
              mayChange && shown.routing === "server"
                ? () => {
                    setShown(null);
                    setChoosing(shown);
                  }
                : null
            }
            onRemove={
              mayDelete
                ? () => {
                    setShown(null);
                    setRemoving([shown]);
                  }
                : null
            }
          />
        )}
        {moving && (
          <MoveDialog
            config={moving}
            onClose={() => {
              setMoving(null);
              onChange?.();
            }}
          />
        )}
        {choosing && (
          <ServicesDialog
            config={choosing}
            onClose={() => {
              setChoosing(null);
              onChange?.();
            }}
          />
        )}
        {ending && (
          <EndDialog
            config={ending}
            onClose={() => {
              setEnding(null);
              onChange?.();
            }}
          />
        )}
        {removing.length > 0 && (
          <RemovalDialog
            configs={removing}
            onClose={() => setRemoving([])}
            onDone={() => {
              setRemoving([]);
              onChange?.();
              onGone?.();
            }}
          />
        )}
      </>
    ),
  };
}
