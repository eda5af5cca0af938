import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { type Connection, checkConnection, useConnection, watchConnection } from "../lib/connection.ts";
import type { Text } from "../lib/i18n/ru.ts";
import { useText } from "../lib/i18n/use-text.tsx";
import { Ring } from "../ui/ring.tsx";
import classes from "./api-status.module.css";

/** User-side, section 9. */
const HIDES_AFTER_MS = 10_000;
const RINGS = { checking: "wait", connected: "done", failed: "bad" } as const;

/** Top right: whether the panel answers. It goes away by itself and comes back when that changes. */
export function ApiStatus() {
  const text = useText();
  const connection = useConnection();
  const [hidden, setHidden] = useState<Connection | null>(null);
  useEffect(() => watchConnection(), []);
  useEffect(() => {
    const timer = setTimeout(() => setHidden(connection), HIDES_AFTER_MS);
    return () => clearTimeout(timer);
  }, [connection]);
  return (
    <div className={classes.place} role="status">
      {hidden !== connection && (
        <div className={classes.toast} data-state={connection.state}>
          <Ring state={RINGS[connection.state]} size={22} />
          <span className={classes.words}>{wordsOf(connection, text.connection)}</span>
          {connection.state !== "failed" && (
            <span className={classes.short} aria-hidden="true">
              {text.connection.short[connection.state]}
            </span>
          )}
          {connection.state === "failed" && (
            <Button variant="outline" className={classes.retry ?? ""} onClick={() => void checkConnection()}>
              {text.common.retry}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function wordsOf(connection: Connection, text: Text["connection"]) {
  if (connection.state !== "failed") return text[connection.state];
  const { reason } = connection;
  if (reason === null) return text.failed(text.unknown);
  return text.failed(typeof reason === "object" ? text.status(reason.status) : text[reason]);
}
