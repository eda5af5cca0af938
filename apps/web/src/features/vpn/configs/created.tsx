import { MINUTE_MS } from "@krug/domain/moment";
import { Button } from "@mantine/core";
import { IconArrowsExchange, IconDownload, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { clock } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { openFile } from "../../../lib/open-file.ts";
import type { Given } from "../../../lib/save-file.ts";
import { BigCircle } from "../../../ui/big-circle.tsx";
import { DeviceDrawing } from "../../../ui/device-drawing.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Qr } from "../../../ui/qr.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { StatusStrip } from "../../../ui/status-strip.tsx";
import { privateKeyIn, withPrivateKey } from "./browser-key.ts";
import classes from "./created.module.css";
import { ForComputer, ForPhone } from "./next-step.tsx";
import { type Config, configsQuery, firstHandshakeQuery, hasConnected, qrTextQuery } from "./queries.ts";
import { TakeHere, useAppFirst } from "./take-here.tsx";
import { appFor } from "./tunnel-app.ts";
import { useDownload } from "./use-download.ts";
import { useGive } from "./use-give.ts";
import { useOtherWay } from "./use-other-way.ts";
import { WhereSaved } from "./where-saved.tsx";

export interface Made {
  config: Config;
  /** The whole file if this browser made the key: it exists nowhere else. Null if the panel can send it again. */
  text: string | null;
}

interface Props {
  made: Made;
  onDone: () => void;
  /** The file is on its way to the device: closing no longer loses anything. */
  onTaken: () => void;
  /** Left out if another one is not allowed. */
  onAnother?: () => void;
}

/** What a dialog shows after a creation or a change of key: the next step on this device. */
export function Created({ made: first, onDone, onTaken, onAnother }: Props) {
  const [made, setMade] = useState(first);
  const here = made.config.deviceType === "phone" && onThisPhone();
  const download = useDownload(here ? openFile : undefined);
  const give = useGive(here, onTaken);
  const given = give.given ?? download.data ?? null;
  const take = () => (made.text === null ? download.mutate(made.config) : void give.give(made.text, made.config.name));
  const app = useAppFirst(made.config.tunnel);
  // The file would be lost on the way to the store: phones reload pages after it.
  const appFirst = made.text === null ? { app } : {};
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
          <Next
            key={made.config.interfaceId}
            made={made}
            connectedAt={connectedAt}
            given={given}
            offersStore={here && made.text === null && app.store !== null}
            onMoved={(moved) => {
              download.reset();
              give.forget();
              setMade(moved);
            }}
          />
        </div>
      </SheetBody>
      <SheetFooter key={String(isConnected)}>
        <Footer
          made={made}
          connected={isConnected}
          given={given}
          onTake={take}
          onDone={onDone}
          {...appFirst}
          {...(onAnother ? { onAnother } : {})}
        />
      </SheetFooter>
    </>
  );
}

/** When the device first connected (ms since 1970), or null while it is awaited. */
function useFirstHandshake({ config }: Made): number | null {
  const before = config.stats.lastHandshake;
  const { data } = useQuery(firstHandshakeQuery(config.id, before));
  return hasConnected(data, before) ? (data?.lastHandshake ?? null) : null;
}

const Commands = lazyPart(() => import("./commands.tsx").then(({ Commands }) => Commands));

interface NextProps {
  made: Made;
  connectedAt: number | null;
  given: Given | null;
  /** The button below leads to the app's store. */
  offersStore: boolean;
  onMoved: (made: Made) => void;
}

function Next({ made, connectedAt, given, offersStore, onMoved }: NextProps) {
  const { created } = useDevices();
  const { config } = made;
  const phone = config.deviceType === "phone";
  const here = phone && onThisPhone();
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
    // A code that is only scanned counts as given once it is shown.
    <Awaited made={made} isGiven={given === "saved" || given === "shared" || (phone && !here)} onMoved={onMoved} />
  );
  return (
    <>
      {made.text !== null && <Hint>{created.once}</Hint>}
      {here && <WhereSaved config={config} given={given} />}
      {here && given === "saved" ? (
        awaited
      ) : phone ? (
        <ForPhone code={<QrOf made={made} />} awaited={awaited} offersStore={offersStore} {...device} />
      ) : (
        <>
          <ForComputer {...device} />
          {awaited}
          <Commands made={made} />
        </>
      )}
    </>
  );
}

/** A network that blocks the protocol never answers. If the club has another kind of tunnel, it is offered after this long. */
const BLOCKED_AFTER_MS = MINUTE_MS;

/** Waits for the first connection. If none comes, offers the other kind of tunnel in this same dialog. */
function Awaited({ made, isGiven, onMoved }: { made: Made; isGiven: boolean; onMoved: (made: Made) => void }) {
  const { created, otherWay: words } = useDevices();
  const queryClient = useQueryClient();
  const { config, text } = made;
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isGiven) return;
    const timer = setTimeout(() => setIsLate(true), BLOCKED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isGiven]);
  const { target, moving } = useOtherWay(config, (moved) => {
    void queryClient.resetQueries({ queryKey: qrTextQuery(config.id).queryKey });
    const key = text === null ? null : privateKeyIn(text);
    onMoved({ config: moved, text: key && moved.template ? withPrivateKey(moved.template, key) : null });
  });
  const more = config.deviceType === "phone" ? created.waitingPhone : created.waitingComputer;
  const way = useRef<HTMLButtonElement>(null);
  const isOffered = isLate && target?.tunnel.type === "amneziawg";
  // Below a code as large as the phone it would appear out of view.
  useEffect(() => {
    if (isOffered) way.current?.scrollIntoView?.({ block: "nearest" });
  }, [isOffered]);
  if (!isLate || target?.tunnel.type !== "amneziawg")
    return (
      <StatusStrip ring="wait" title={created.waiting}>
        {more}
      </StatusStrip>
    );
  return (
    <>
      <StatusStrip ring="warn" title={words.blocked}>
        {words.blockedMore}
      </StatusStrip>
      <Button
        ref={way}
        className={classes.way ?? ""}
        variant="outline"
        size="lg"
        fullWidth
        loading={moving.isPending}
        leftSection={<IconArrowsExchange size={20} stroke={1.6} />}
        onClick={() => moving.mutate(target.id)}
      >
        {words.try}
      </Button>
      <FormMessage error={moving.error} failed={words.failed} />
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
  const { created } = useDevices();
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

interface FooterProps
  extends Pick<Props, "made" | "onDone" | "onAnother">,
    Pick<React.ComponentProps<typeof TakeHere>, "app"> {
  connected: boolean;
  given: Given | null;
  onTake: () => void;
}

function Footer({ made, connected, given, onTake, onDone, onAnother, app }: FooterProps) {
  const { qr } = withApp(useMemberText(), appFor(made.config.tunnel));
  const { created } = withApp(useDevices(), appFor(made.config.tunnel));
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
  const phone = made.config.deviceType === "phone";
  if (phone && onThisPhone())
    return <TakeHere tunnel={made.config.tunnel} onTake={onTake} again={given === "saved"} {...(app ? { app } : {})} />;
  return (
    <>
      {phone && <p className={classes.same}>{created.samePhone}</p>}
      <Button
        fullWidth
        size="lg"
        variant={phone && made.text === null ? "outline" : "filled"}
        leftSection={<IconDownload size={20} stroke={1.6} />}
        onClick={onTake}
      >
        {qr.download}
      </Button>
    </>
  );
}
