import { ageText, inMb, sheetMoment, shortDay, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { isOnline } from "../../../lib/online.ts";
import { placeName } from "../../../lib/place-name.ts";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import type { ListedConfig } from "./queries.ts";
import { StateWords, stateOf } from "./standing.tsx";
import { useConfigsBrowserWords } from "./words.ts";

export const totalOf = ({ stats }: ListedConfig) => stats.dataReceived + stats.dataSent;

/** The columns of the list of configs. `onOpen` opens a config's details. */
export function useColumns(nowMs: number, onOpen: (config: ListedConfig) => void): Column<ListedConfig>[] {
  const words = useConfigsBrowserWords();
  const { text, language } = useSpeech();
  return [
    {
      key: "name",
      title: words.name,
      fixed: true,
      sortable: true,
      cell: (config) => (
        <button type="button" className={`${cells.name} k-focus`} onClick={() => onOpen(config)}>
          <b>{config.name}</b>
          <span>{words.devices[config.deviceType]}</span>
        </button>
      ),
      text: ({ name }) => name,
    },
    {
      key: "member",
      title: words.member,
      sortable: true,
      cell: ({ staff: { owner } }) => (
        <StaffLink to={`users/${owner.username}`} className={cells.name}>
          <span>{owner.displayName}</span>
          <span>{owner.username}</span>
        </StaffLink>
      ),
      text: ({ staff }) => staff.owner.displayName,
    },
    {
      key: "state",
      title: words.state,
      cell: (config) => <StateWords ring config={config} nowMs={nowMs} />,
      text: (config) => words.states[stateOf(config, nowMs)],
    },
    {
      key: "place",
      title: words.place,
      cell: ({ staff, serverName }) => (
        <span className={cells.name}>
          <span>{staff.interfaceName}</span>
          <span>{serverName}</span>
        </span>
      ),
      text: ({ staff, serverName }) => placeName({ serverName, name: staff.interfaceName }),
    },
    {
      key: "address",
      title: words.address,
      cell: ({ staff }) => <code className={cells.mono}>{staff.address}</code>,
      text: ({ staff }) => staff.address,
    },
    {
      key: "lastHandshake",
      title: words.lastHandshake,
      right: true,
      sortable: true,
      cell: ({ stats }) => (
        <span className={cells.quiet}>
          {isOnline(stats.lastHandshake, nowMs) ? words.now : ageText(stats.lastHandshake, nowMs, text.age)}
        </span>
      ),
      text: ({ stats }) => (stats.lastHandshake === null ? "" : sheetMoment(stats.lastHandshake)),
    },
    {
      key: "traffic",
      title: words.traffic,
      right: true,
      sortable: true,
      cell: (config) => sizeText(totalOf(config), language),
    },
    {
      key: "createdAt",
      title: words.createdAt,
      right: true,
      sortable: true,
      cell: ({ createdAt }) => <span className={cells.quiet}>{shortDay(new Date(createdAt))}</span>,
      text: ({ createdAt }) => sheetMoment(Date.parse(createdAt)),
    },
    // Only in the exported file.
    { key: "login", title: words.login, text: ({ staff }) => staff.owner.username },
    {
      key: "device",
      title: words.device,
      text: ({ deviceType }) => words.devices[deviceType],
    },
    { key: "received", title: words.receivedInMb, text: ({ stats }) => inMb(stats.dataReceived) },
    { key: "sent", title: words.sentInMb, text: ({ stats }) => inMb(stats.dataSent) },
  ];
}

/** Columns that a table does not show until they are asked for. */
export const HIDDEN_FIRST = { always: ["createdAt"], narrow: ["address", "lastHandshake", "traffic"] };
