import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { CodeTrouble } from "../lib/code.ts";
import { useComingWords } from "../lib/i18n/coming.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import classes from "./coming.module.css";
import { Ring } from "./ring.tsx";
import { Waiting } from "./waiting.tsx";

/** What opens within this time is not announced. What takes longer is, while a press still feels answered at once. */
const SHOWN_AFTER_MS = 20;

interface Props {
  /** Why it does not open; null while it loads. */
  trouble: CodeTrouble | "failed" | null;
  /** Cancels the opening. */
  onClose: (() => void) | undefined;
}

/** Replaces a dialog that is still loading: a line at the bottom of a page that stays usable. */
export function Coming({ trouble, onClose }: Props) {
  const coming = useComingWords();
  const { common } = useText();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsShown(true), SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={classes.place} role="status">
      {(isShown || trouble) && (
        <div className={classes.line}>
          <Ring state={trouble === "gone" || trouble === "failed" ? "bad" : "wait"} size={22} />
          <span>{coming[trouble ?? "soon"]}</span>
          {trouble === "gone" && (
            <Button size="compact-md" variant="light" onClick={() => location.reload()}>
              {coming.reload}
            </Button>
          )}
          {onClose && (
            <ActionIcon aria-label={common.close} onClick={onClose}>
              <IconX size={20} stroke={1.6} />
            </ActionIcon>
          )}
        </div>
      )}
    </div>
  );
}

/** Replaces a part that has not loaded yet. */
export function ComingInPlace({ trouble }: { trouble: CodeTrouble | null }) {
  const coming = useComingWords();
  if (trouble === null) return <Waiting />;
  return (
    <p className={classes.inPlace} role="status">
      {coming[trouble]}
    </p>
  );
}
