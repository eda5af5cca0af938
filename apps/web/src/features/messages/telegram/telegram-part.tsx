import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { Ring } from "../../../ui/ring.tsx";
import type { Me } from "../../access/auth/index.ts";
import { Linking } from "./linking.tsx";
import { type TelegramStatus, telegramQuery } from "./queries.ts";
import classes from "./telegram.module.css";
import { UnlinkDialog } from "./unlink-dialog.tsx";

/** Telegram in the settings: its state, linking and unlinking. Hidden in a club without a bot. */
export function TelegramPart({ me }: { me: Me }) {
  const { telegram } = useCircle();
  const { data: status } = useQuery(telegramQuery);
  const [linking, setLinking] = useState(false);
  const [unlinking, setUnlinking] = useState(false);
  const endUnlinking = useCallback(() => setUnlinking(false), []);
  if (!status?.enabled) return null;
  const { telegramConnected } = status;
  return (
    <section className={classes.part} aria-labelledby="telegram-part">
      <h3 id="telegram-part" className={classes.title}>
        Telegram
      </h3>
      {linking ? <Linking me={me} /> : <Standing status={status} />}
      {!linking && !telegramConnected && (
        <Button variant="outline" className={classes.alone ?? ""} onClick={() => setLinking(true)}>
          {telegram.bind}
        </Button>
      )}
      {telegramConnected && (
        <Button
          variant="outline"
          className={classes.alone ?? ""}
          onClick={() => {
            setLinking(false);
            setUnlinking(true);
          }}
        >
          {telegram.unlinkTitle}
        </Button>
      )}
      {unlinking && <UnlinkDialog me={me} onClose={endUnlinking} />}
    </section>
  );
}

function Standing({ status }: { status: TelegramStatus }) {
  const { telegram } = useCircle();
  const { telegramConnected, botBlocked, required } = status;
  const words = telegramConnected
    ? telegram.linkedTo(status.account)
    : botBlocked
      ? telegram.botBlocked(status.botName ?? "")
      : required
        ? telegram.whatForRequired
        : telegram.whatFor;
  return (
    <p className={classes.standing}>
      <Ring state={telegramConnected ? "on" : botBlocked ? "warn" : "never"} size={22} />
      <span>{words}</span>
    </p>
  );
}
