import { Button } from "@mantine/core";
import { IconDownload, IconPlus, IconShare2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { clock } from "../../lib/format.ts";
import { useMemberText } from "../../lib/i18n/member.ts";
import { withApp } from "../../lib/i18n/tie.ts";
import { onThisPhone } from "../../lib/on-this-phone.ts";
import { BigCircle } from "../../ui/big-circle.tsx";
import { DeviceDrawing } from "../../ui/device-drawing.tsx";
import { Hint } from "../../ui/hint.tsx";
import { Qr } from "../../ui/qr.tsx";
import { Ring } from "../../ui/ring.tsx";
import { SheetBody, SheetFooter } from "../../ui/sheet.tsx";
import { StatusStrip } from "../../ui/status-strip.tsx";
import classes from "./created.module.css";
import { ForComputer, ForPhone } from "./next-step.tsx";
import { type Config, configsQuery, firstHandshakeQuery, hasConnected, qrTextQuery } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useDownload } from "./use-download.ts";
import { useGive } from "./use-give.ts";
import { WhereSaved } from "./where-saved.tsx";

export interface Made {
  config: Config;
  /** The whole file where this browser made the key: it exists nowhere else. Null if the panel can give it again. */
  text: string | null;
}

interface Props {
  made: Made;
  onDone: () => void;
  /** The file is on its way to the device: from now on nothing is lost by closing. */
  onTaken: () => void;
  /** Left out if another one is not allowed. */
  onAnother?: () => void;
}

/** What a dialog turns into after a creation or a change of key: the step that follows on this very device. */
export function Created({ made, onDone, onTaken, onAnother }: Props) {
  const connectedAt = useFirstHandshake(made);
  useEffect(() => {
    if (connectedAt !== null) onTaken();
  }, [connectedAt, onTaken]);
  const place = useRef<HTMLDivElement>(null);
  const isConnected = connectedAt !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what had the focus is gone with the form, or with the buttons of a device that waited
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [isConnected]);
  return (
    <>
      <SheetBody>
        <div ref={place} tabIndex={-1} className={classes.next}>
          <Next made={made} connectedAt={connectedAt} />
        </div>
      </SheetBody>
      <SheetFooter>
        <Footer
          made={made}
          connected={isConnected}
          onDone={onDone}
          onTaken={onTaken}
          {...(onAnother ? { onAnother } : {})}
        />
      </SheetFooter>
    </>
  );
}

/** When the device first showed up (ms since 1970), or null while it is awaited. */
function useFirstHandshake({ config }: Made): number | null {
  const before = config.stats.lastHandshake;
  const { data } = useQuery(firstHandshakeQuery(config.id, before));
  return hasConnected(data, before) ? (data?.lastHandshake ?? null) : null;
}

function Next({ made, connectedAt }: { made: Made; connectedAt: number | null }) {
  const { created } = useMemberText();
  const { config } = made;
  const phone = config.deviceType === "phone";
  const { data: configs } = useQuery(configsQuery);
  const device = { tunnel: config.tunnel, linkOf: made.text === null ? config.id : undefined };
  const pending = (configs?.find(({ id }) => id === config.id) ?? config).state === "pending";

  if (connectedAt !== null) {
    return (
      <>
        <Joined phone={phone} />
        <StatusStrip ring="on" title={created.connected}>
          {created.connectedMore(clock(connectedAt))}
        </StatusStrip>
      </>
    );
  }
  const awaited = pending ? (
    <StatusStrip ring="wait" title={created.pending}>
      {created.pendingMore}
    </StatusStrip>
  ) : (
    <StatusStrip ring="wait" title={created.waiting}>
      {phone ? created.waitingPhone : created.waitingComputer}
    </StatusStrip>
  );
  return (
    <>
      {made.text !== null && <Hint>{created.once}</Hint>}
      {phone ? (
        <ForPhone code={<QrOf made={made} />} awaited={awaited} {...device} />
      ) : (
        <>
          <ForComputer {...device} />
          {awaited}
        </>
      )}
    </>
  );
}

/** The QR code of a config's file. */
export function QrOf({ made }: { made: Made }) {
  const { common, qr } = useMemberText();
  const { data, isError } = useQuery({ ...qrTextQuery(made.config.id), enabled: made.text === null });
  const text = made.text ?? data;
  if (isError) return <Hint>{qr.failed}</Hint>;
  return text ? (
    <Qr text={text} label={qr.image(made.config.name)} app={appFor(made.config.tunnel)} />
  ) : (
    <div className={classes.wait} role="status" aria-label={common.loading}>
      <Ring state="wait" size={40} />
    </div>
  );
}

function Joined({ phone }: { phone: boolean }) {
  const { created } = useMemberText();
  return (
    <div className={classes.joined}>
      <BigCircle you="closed" />
      <div className={classes.inside}>
        <svg height="76" viewBox={phone ? "0 0 78 148" : "0 0 150 112"} aria-hidden="true">
          <DeviceDrawing kind={phone ? "phone" : "computer"} />
        </svg>
        <p>{phone ? created.phoneIn : created.computerIn}</p>
      </div>
    </div>
  );
}

function Footer({ made, connected, onDone, onTaken, onAnother }: Props & { connected: boolean }) {
  const { created, qr } = withApp(useMemberText(), appFor(made.config.tunnel));
  const here = made.config.deviceType === "phone" && onThisPhone();
  const download = useDownload(here ? "open" : "save");
  const { given, give } = useGive(here, onTaken);
  if (connected) {
    return (
      <div className={classes.pair}>
        {onAnother && (
          <Button size="lg" variant="outline" leftSection={<IconPlus size={20} stroke={1.6} />} onClick={onAnother}>
            {created.another}
          </Button>
        )}
        <Button size="lg" onClick={onDone}>
          {created.done}
        </Button>
      </div>
    );
  }
  const take = () => (made.text === null ? download.mutate(made.config) : void give(made.text, made.config.name));
  const scanning = made.config.deviceType === "phone" && !here;
  return (
    <>
      {scanning && <p className={classes.same}>{created.samePhone}</p>}
      {here && <WhereSaved config={made.config} given={given ?? download.data} />}
      <Button
        fullWidth
        size="lg"
        variant={scanning && made.text === null ? "outline" : "filled"}
        leftSection={here ? <IconShare2 size={20} stroke={1.6} /> : <IconDownload size={20} stroke={1.6} />}
        onClick={take}
      >
        {here ? created.open : qr.download}
      </Button>
    </>
  );
}
