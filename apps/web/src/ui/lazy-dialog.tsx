import { CatchBoundary } from "@tanstack/react-router";
import { Coming } from "./coming.tsx";
import { type Lazy, type Load, makeLazy } from "./lazy.tsx";

/**
 * A dialog whose code is fetched when it is first opened, or before. The page behind it stays unchanged, also if the dialog fails
 * or cannot load.
 */
export const lazyDialog = <Props extends object>(load: Load<Props>): Lazy<Props> =>
  makeLazy(
    load,
    ({ value: Dialog, trouble }, props) => {
      const { onClose } = props as { onClose?: () => void };
      if (!Dialog) return <Coming trouble={trouble} onClose={onClose} />;
      return (
        <CatchBoundary getResetKey={() => ""} errorComponent={() => <Coming trouble="failed" onClose={onClose} />}>
          <Dialog {...props} />
        </CatchBoundary>
      );
    },
    { reloads: false },
  );
