import { Button } from "@mantine/core";
import { IconAdjustments, IconArrowsExchange, IconCalendarOff, IconPower, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ageText, clubDay, longDay, moment as momentText, sizeText, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { speedText } from "../../../lib/speed-text.ts";
import cells from "../../../ui/cells.module.css";
import { type Fact, Facts } from "../../../ui/facts.tsx";
import { Sheet, SheetActions } from "../../../ui/sheet.tsx";
import { StaffLink, useViewed } from "../../club/staff/index.ts";
import classes from "./config-browser.module.css";
import { catalogueQuery, type ListedConfig, liveQuery } from "./queries.ts";
import { StateWords } from "./standing.tsx";
import { useConfigsBrowserWords } from "./words.ts";

interface Props {
  config: ListedConfig;
  nowMs: number;
  onClose: () => void;
  /** null: the viewer may not. */
  onRemove: (() => void) | null;
  onMove: (() => void) | null;
  /** null also if it is not off for want of use, or because its end came. */
  onWake: (() => void) | null;
  onEnd: (() => void) | null;
  /** null also if its file decides. */
  onServices: (() => void) | null;
}

const Addresses = ({ address, addressV6 }: { address: string; addressV6: string | null }) => (
  <code>{[address, addressV6].filter(Boolean).join(", ")}</code>
);

interface ActProps {
  /** null: there is no such button. */
  onClick: (() => void) | null;
  icon: typeof IconTrash;
  label: string;
  isDanger?: boolean;
}

function Act({ onClick, icon: Icon, label, isDanger = false }: ActProps) {
  if (onClick === null) return null;
  return (
    <Button
      variant="subtle"
      size="lg"
      data-danger={isDanger || undefined}
      leftSection={<Icon size={18} stroke={1.6} aria-hidden="true" />}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

/** Everything that staff see of a config. Nobody sees its keys. */
export function DetailsDialog({ config, nowMs, onClose, onRemove, onMove, onWake, onEnd, onServices }: Props) {
  const words = useConfigsBrowserWords();
  const { text, language } = useSpeech();
  const names = useQuery(catalogueQuery).data;
  const nameOf = (id: string) => names && (names.get(id) ?? words.one.unknown);
  const { staff, moving } = config;
  const { viewedRole } = useViewed();
  const stats = { speed: null, ...config.stats, ...useQuery(liveQuery(config.id, viewedRole)).data };
  const speed = (bytes: number | undefined) => (bytes === undefined ? "—" : speedText(bytes, language));
  const facts: Fact[] = [
    [words.state, <StateWords key="state" ring config={config} nowMs={nowMs} />],
    [
      words.member,
      <StaffLink key="member" to={`users/${staff.owner.username}`} className={cells.link}>
        {staff.owner.displayName}
      </StaffLink>,
    ],
    [words.device, words.devices[config.deviceType]],
    [words.one.server, config.serverName],
    [words.place, staff.interfaceName],
    [words.address, <Addresses key="address" {...staff} />],
    ...(config.dormant
      ? ([[words.one.keptUntil, longDay(new Date(config.dormant.keptUntil), nowMs, language)]] satisfies Fact[])
      : []),
    ...(config.ends
      ? ([[words.one.worksUntil, writtenDay(clubDay(config.ends.at), nowMs, language)]] satisfies Fact[])
      : []),
    ...(moving && staff.movingFrom
      ? ([
          [words.one.movesFrom, `${moving.serverName}: ${moving.interfaceName}`],
          [words.one.oldAddress, <Addresses key="old" {...staff.movingFrom} />],
          [words.one.movesUntil, momentText(Date.parse(moving.until), language)],
        ] satisfies Fact[])
      : []),
    ...(config.services.length === 0
      ? ([[words.one.services, words.one.onDevice]] satisfies Fact[])
      : ([
          [words.one.services, names && config.services.map(nameOf).join(", ")],
          [words.one.dns, nameOf(config.dns)],
        ] satisfies Fact[])),
    [words.lastHandshake, ageText(stats.lastHandshake, nowMs, text.age)],
    [words.one.incoming, sizeText(stats.dataReceived, language)],
    [words.one.outgoing, sizeText(stats.dataSent, language)],
    [words.one.speed, words.one.bothWays(speed(stats.speed?.received), speed(stats.speed?.sent))],
    [words.one.created, longDay(new Date(config.createdAt), nowMs, language)],
    [words.one.key, words.one.keys[config.keyOrigin]],
    [words.one.file, config.needsDownload ? words.one.stale : words.one.fresh],
  ];
  return (
    <Sheet
      onClose={onClose}
      title={config.name}
      footer={
        <SheetActions>
          <Act onClick={onRemove} icon={IconTrash} label={words.remove} isDanger />
          <Act onClick={onWake} icon={IconPower} label={words.wake.button} />
          <Act onClick={onEnd} icon={IconCalendarOff} label={words.end.button} />
          <Act onClick={onServices} icon={IconAdjustments} label={words.services.button} />
          <Act onClick={onMove} icon={IconArrowsExchange} label={words.move.button} />
          <Button size="lg" variant="outline" className={onMove ? (classes.below ?? "") : ""} onClick={onClose}>
            {words.one.close}
          </Button>
        </SheetActions>
      }
    >
      <Facts facts={facts} />
    </Sheet>
  );
}
