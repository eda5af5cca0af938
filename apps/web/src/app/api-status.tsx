import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type Connection, checkConnection, useConnection, watchConnection } from "../lib/connection.ts";
import type { Text } from "../lib/i18n/ru.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { useConnectionPlace, useIsUnderSheet } from "../ui/connection-place.tsx";
import { Ring } from "../ui/ring.tsx";
import classes from "./api-status.module.css";

/** (specification, member's side 9) */
const HIDES_AFTER_MS = 10_000;
const RINGS = { checking: "wait", connected: "done", failed: "bad" } as const;

/** Top right, under the header: whether the panel answers. It disappears by itself or after a touch elsewhere. */
export function ApiStatus() {
  const text = useText();
  const connection = useConnection();
  const toast = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState<Connection | null>(null);
  useEffect(() => watchConnection(), []);
  useEffect(() => {
    const timer = setTimeout(() => setHidden(connection), HIDES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  useEffect(() => {
    // After the touch has had its effect: a page that moves under a finger loses the click.
    const sendAway = ({ target }: MouseEvent) => {
      if (!(target instanceof Node && toast.current?.contains(target))) setTimeout(() => setHidden(connection));
    };
    document.addEventListener("click", sendAway, { capture: true });
    return () => document.removeEventListener("click", sendAway, { capture: true });
  }, [connection]);
  const place = useConnectionPlace(connection.state === "failed");
  const isUnderSheet = useIsUnderSheet();
  const told = (
    <div
      className={place ? undefined : classes.corner}
      data-quiet={(!place && isUnderSheet) || undefined}
      role="status"
    >
      {hidden !== connection && (
        <div ref={toast} className={classes.toast} data-state={connection.state}>
          <Ring state={RINGS[connection.state]} size={22} />
          <span className={classes.words}>{wordsOf(connection, text.connection)}</span>
          {connection.state !== "failed" && (
            <span className={classes.short} aria-hidden="true">
              {text.connection.short[connection.state]}
            </span>
          )}
          {connection.state === "failed" && (
            <Button variant="outline" onClick={() => void checkConnection()}>
              {text.common.retry}
            </Button>
          )}
        </div>
      )}
    </div>
  );
  return place ? createPortal(told, place) : told;
}

function wordsOf(connection: Connection, text: Text["connection"]) {
  if (connection.state !== "failed") return text[connection.state];
  const { reason } = connection;
  if (reason === null) return text.failed(text.unknown);
  return text.failed(typeof reason === "object" ? text.status(reason.status) : text[reason]);
}
