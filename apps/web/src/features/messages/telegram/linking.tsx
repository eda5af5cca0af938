import { Button } from "@mantine/core";
import { IconBrandTelegram } from "@tabler/icons-react";
import { useState } from "react";
import { ApiError } from "../../../lib/api.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Qr } from "../../../ui/qr.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { ShownCode } from "../../../ui/shown-code.tsx";
import { StatusStrip } from "../../../ui/status-strip.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import type { Me } from "../../access/auth/index.ts";
import { LinkingPassword } from "./linking-password.tsx";
import classes from "./telegram.module.css";
import { useLinking } from "./use-linking.ts";

type State = ReturnType<typeof useLinking>;
type Code = NonNullable<State["code"]["data"]>;

/** From a code to the linked account: Telegram on this phone, or on a phone that scans the screen. */
export function Linking({ me }: { me: Me }) {
  const { telegram } = useCircle();
  const state = useLinking(me);
  const { code } = state;

  if (state.connected)
    return (
      <StatusStrip ring="on" title={telegram.connected}>
        {telegram.connectedMore(state.account)}
      </StatusStrip>
    );
  if (code.error instanceof ApiError && code.error.code === "auth.password_required")
    return <LinkingPassword username={me.username} onGiven={() => void state.another()} />;
  if (code.isError)
    return <LoadFailed title={telegram.codeFailed} error={code.error} onRetry={() => void state.another()} />;
  if (!code.data) return <Waiting room={120} />;
  return state.leftS > 0 ? <Live code={code.data} state={state} /> : <Over state={state} />;
}

function Live({ code, state }: { code: Code; state: State }) {
  const { telegram } = useCircle();
  const [here] = useState(onThisPhone);
  const open = (
    <Button
      component="a"
      href={code.deepLink}
      target="_blank"
      rel="noreferrer"
      size={here ? "lg" : "sm"}
      variant={here ? "filled" : "outline"}
      fullWidth={here}
      leftSection={<IconBrandTelegram size={20} stroke={1.6} aria-hidden="true" />}
    >
      {telegram.open}
    </Button>
  );
  return (
    <div className={classes.linking}>
      <p>{here ? telegram.leadHere : telegram.leadScan}</p>
      <div className={here ? classes.linking : classes.sides}>
        {here ? open : <Qr text={code.deepLink} label={telegram.qrLabel(code.botName)} />}
        <div className={classes.byHand}>
          <p className={classes.quiet}>{telegram.byHand(code.botName)}</p>
          <ShownCode code={code.telegramCode} />
          <p className={classes.quiet} role="timer">
            {telegram.left} <strong>{clockFace(state.leftS)}</strong>
          </p>
          {!here && <div>{open}</div>}
        </div>
      </div>
      <Watch state={state} />
    </div>
  );
}

function Watch({ state }: { state: State }) {
  const { telegram } = useCircle();
  if (state.watching)
    return (
      <StatusStrip ring="wait" title={telegram.waiting}>
        {telegram.waitingMore}
      </StatusStrip>
    );
  return (
    <>
      <StatusStrip ring="never" title={telegram.notYet}>
        {telegram.notYetMore}
      </StatusStrip>
      <Button variant="outline" onClick={state.checkAgain}>
        {telegram.checkAgain}
      </Button>
    </>
  );
}

function Over({ state }: { state: State }) {
  const { telegram } = useCircle();
  return (
    <div className={classes.linking}>
      <ShownCode code={null} />
      <p role="status">{telegram.over}</p>
      <Button
        size="lg"
        onClick={() => void state.another()}
        leftSection={state.code.isFetching ? <Ring state="wait" size={20} /> : null}
      >
        {telegram.anotherCode}
      </Button>
    </div>
  );
}

/** 581 → "09:41" */
const clockFace = (seconds: number) =>
  [Math.floor(seconds / 60), seconds % 60].map((part) => String(part).padStart(2, "0")).join(":");
