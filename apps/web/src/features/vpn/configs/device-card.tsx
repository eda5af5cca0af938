import { ActionIcon, Button } from "@mantine/core";
import {
  IconAdjustments,
  IconArrowDown,
  IconArrowUp,
  IconDeviceLaptop,
  IconDeviceMobile,
  IconDownload,
  IconKey,
  IconQrcode,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { clock, dayText, longDay, moment, sizeText } from "../../../lib/format.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import type { MemberText } from "../../../lib/i18n/ru.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { speedText } from "../../../lib/speed-text.ts";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { lazyPart } from "../../../ui/lazy.tsx";
import { Ring } from "../../../ui/ring.tsx";
import type { Me } from "../../access/auth/index.ts";
import { cardState } from "./card-state.ts";
import classes from "./device-card.module.css";
import { MonthBars } from "./month-bars.tsx";
import { type Config, type ConfigStats, type DayOfTraffic, type Month, statsQuery } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useDownload } from "./use-download.ts";

const RoutedServices = lazyPart(() => import("./routed-services.tsx").then(({ RoutedServices }) => RoutedServices));

const DormantNote = lazyPart(() => import("./dormant-note.tsx").then(({ DormantNote }) => DormantNote));

interface Props {
  config: Config;
  right: Me["entitlement"];
  nowMs: number;
  listedAtMs: number;
  /** undefined while it loads, null if it failed. */
  month: Month | null | undefined;
  days: readonly DayOfTraffic[];
  onMonth: () => void;
  onDiagnose: () => void;
  onQr: () => void;
  onEdit: () => void;
  onRemove: () => void;
  onReplaceKey: () => void;
}

export function DeviceCard(props: Props) {
  const { config, right, nowMs, listedAtMs, month, days } = props;
  const { onMonth, onDiagnose, onQr, onEdit, onRemove, onReplaceKey } = props;
  const text = useMemberText();
  const { language } = useSpeech();
  const { card } = text;
  const fresh = useQuery(statsQuery(config, listedAtMs));
  const stats: ConfigStats = fresh.dataUpdatedAt > listedAtMs ? fresh.data : config.stats;
  const state = cardState(config, stats, right, nowMs, { text, language }, useSilentSince() !== null);
  const download = useDownload();
  const phone = config.deviceType === "phone";
  const Device = phone ? IconDeviceMobile : IconDeviceLaptop;
  // What its file has to route is known once services are chosen.
  const isMovedIn = config.services.length === 0;
  // A phone can't scan its own screen, and an old file has to be replaced.
  const fileFirst = config.needsDownload || onThisPhone();
  const hasText = config.keyOrigin === "panel" && !isMovedIn;
  const bytesPerS = state.ring === "on" && stats.speed ? stats.speed.received + stats.speed.sent : 0;
  const used = stats.dataReceived + stats.dataSent > 0;

  const qrButton = (
    <Button
      variant="light"
      leftSection={<IconQrcode size={20} stroke={1.6} />}
      aria-label={card.qrOf(config.name)}
      onClick={onQr}
    >
      {card.qr}
    </Button>
  );
  return (
    <article className={classes.card} aria-label={config.name}>
      <header className={classes.head}>
        <Ring state={state.ring} size={28} />
        <h3 className={classes.name} translate="no">
          {config.name}
        </h3>
        <span role="img" aria-label={phone ? card.phone : card.computer} className={classes.device}>
          <Device size={22} stroke={1.6} aria-hidden="true" />
        </span>
        <p
          className={classes.state}
          data-ring={state.ring}
          title={stats.lastHandshake === null ? undefined : moment(stats.lastHandshake, language)}
        >
          {state.word}
          {bytesPerS >= 1 && ` · ${speedText(bytesPerS, language)}`}
        </p>
        <p className={classes.links}>
          <button
            type="button"
            className={`${classes.help} k-focus`}
            aria-label={card.notWorkingOf(config.name)}
            aria-haspopup="dialog"
            onClick={onDiagnose}
          >
            {card.notWorking}
          </button>
          <button
            type="button"
            className={`${classes.help} k-focus`}
            aria-label={card.editOf(config.name)}
            aria-haspopup="dialog"
            onClick={onEdit}
          >
            {card.edit}
          </button>
        </p>
      </header>
      <div className={classes.notes}>
        {(config.dormant ?? config.dormantFrom ?? config.ends) && <DormantNote config={config} />}
        {state.reason && <p>{state.reason}</p>}
        {config.moving && config.state !== "off" && <p>{movingText(config.moving, nowMs, card, language)}</p>}
        {config.needsDownload && <p className={classes.move}>{card.redownload}</p>}
        {config.overPhoneLimit && <p className={classes.move}>{card.overLimit}</p>}
        {isMovedIn ? <p>{card.movedIn}</p> : !hasText && <p>{card.keyInBrowser}</p>}
        {config.madeByStaff && <p>{card.byStaff}</p>}
        {config.tunnel.version !== null && <p>{card.needsApp(appFor(config.tunnel))}</p>}
      </div>
      {config.routing === "server" && (
        <div className={classes.services}>
          <RoutedServices config={config} />
        </div>
      )}
      <MonthBars
        name={config.name}
        nowMs={nowMs}
        month={month}
        days={days}
        everSeen={stats.lastHandshake !== null}
        onTable={onMonth}
      />
      <div className={classes.meta}>
        <span>{card.created(dayText(config.createdAt, nowMs, language, text.age))}</span>
        {used && (
          <span className={classes.totals}>
            <Total icon={<IconArrowDown size={16} stroke={1.6} />} label={card.received}>
              {sizeText(stats.dataReceived, language)}
            </Total>
            <Total icon={<IconArrowUp size={16} stroke={1.6} />} label={card.sent}>
              {sizeText(stats.dataSent, language)}
            </Total>
          </span>
        )}
      </div>
      <div className={classes.actions}>
        {hasText && phone && !fileFirst && qrButton}
        {hasText && (
          <Button
            // If the file on the device is old, this is the main action.
            variant={config.needsDownload ? "filled" : "light"}
            data-busy={download.isPending || undefined}
            leftSection={download.isPending ? <Ring state="wait" size={20} /> : <IconDownload size={20} stroke={1.6} />}
            aria-label={(config.needsDownload ? card.downloadAgainOf : card.downloadOf)(config.name)}
            onClick={() => !download.isPending && download.mutate(config)}
          >
            {config.needsDownload ? card.downloadAgain : card.download}
          </Button>
        )}
        {hasText && phone && fileFirst && qrButton}
        {isMovedIn && (
          <Button variant="light" leftSection={<IconAdjustments size={20} stroke={1.6} />} onClick={onEdit}>
            {card.chooseServices}
          </Button>
        )}
        {!hasText && !isMovedIn && (
          <Button
            variant="light"
            leftSection={<IconKey size={20} stroke={1.6} />}
            aria-label={card.replaceKeyOf(config.name)}
            onClick={onReplaceKey}
          >
            {card.replaceKey}
          </Button>
        )}
        <span className={classes.right}>
          {hasText && (
            <ActionIcon aria-label={card.replaceKeyOf(config.name)} title={card.replaceKey} onClick={onReplaceKey}>
              <IconKey size={20} stroke={1.6} />
            </ActionIcon>
          )}
          <ActionIcon aria-label={card.remove(config.name)} title={card.remove(config.name)} onClick={onRemove}>
            <IconTrash size={20} stroke={1.6} />
          </ActionIcon>
        </span>
      </div>
    </article>
  );
}

const movingText = (
  { serverName, interfaceName, until }: NonNullable<Config["moving"]>,
  nowMs: number,
  card: MemberText["card"],
  language: Language,
) => {
  const end = new Date(until);
  return card.moving(`${serverName}: ${interfaceName}`, clock(end.getTime()), longDay(end, nowMs, language));
};

function Total({ icon, label, children }: { icon: React.ReactNode; label: string; children: string }) {
  return (
    <span className={classes.total} title={label}>
      {icon}
      <span className="k-spoken">{`${label}: `}</span>
      {children}
    </span>
  );
}
