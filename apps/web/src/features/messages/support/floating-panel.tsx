import { CloseButton, Portal } from "@mantine/core";
import "@mantine/core/styles/CloseButton.layer.css";
import { useEffect, useId, useRef } from "react";
import { useText } from "../../../lib/i18n/use-text.tsx";
import classes from "./support-widget.module.css";

interface Props {
  title: string;
  onClose: () => void;
  children: React.ReactNode;
}

/** Next to the page, which stays usable. */
export const FloatingPanel = (props: Props) => (
  <Portal>
    <Panel {...props} />
  </Portal>
);

function Panel({ title, onClose, children }: Props) {
  const { common } = useText();
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  // The focus may leave it. If it is inside when the panel closes, it returns to where it was.
  useEffect(() => {
    const before = document.activeElement;
    const inside = panel.current;
    inside?.querySelector("textarea")?.focus({ preventScroll: true });
    return () => {
      const isLost = inside?.contains(document.activeElement) || document.activeElement === document.body;
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      className={classes.panel}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        <CloseButton aria-label={common.close} iconSize={20} size={44} onClick={onClose} />
      </div>
      {children}
    </section>
  );
}
