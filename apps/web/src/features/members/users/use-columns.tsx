import { NO_LIMIT } from "@krug/domain/config-rules";
import { IconNote } from "@tabler/icons-react";
import { clubDay, inMb, sheetMoment, shortDay, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { StaffLink, useMay } from "../../club/staff/index.ts";
import type { ListedMember } from "./queries.ts";
import { RoleBadge } from "./role-badge.tsx";
import { limitText, StateWords, seenText, stateOf, subscriptionText } from "./standing.tsx";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

/** The columns of the list of members. Traffic bars are relative to the largest on the page. */
export function useColumns(nowMs: number, mostBytes: number): Column<ListedMember>[] {
  const mayModify = useMay("members.change");
  const words = useUsersWords();
  const { text, language } = useSpeech();
  const { list, roles, states, subscriptions } = words;
  return [
    {
      key: "name",
      title: list.member,
      fixed: true,
      sortable: true,
      cell: (member) => <NameCell member={member} />,
      text: ({ displayName }) => displayName,
    },
    {
      key: "role",
      title: list.role,
      cell: ({ role }) => (mayModify ? <span className={cells.quiet}>{roles[role]}</span> : <RoleBadge role={role} />),
      text: ({ role }) => roles[role],
    },
    {
      key: "state",
      title: list.state,
      cell: (member) => <StateWords ring state={stateOf(member, nowMs)} />,
      text: (member) => states[stateOf(member, nowMs)],
    },
    {
      key: "subscription",
      title: list.subscription,
      sortable: true,
      cell: (member) => <span className={cells.nowrap}>{subscriptionText(member, subscriptions, nowMs)}</span>,
      text: (member) => subscriptionText(member, subscriptions, nowMs),
    },
    {
      key: "configs",
      title: list.configs,
      right: true,
      cell: ({ configCount, vpnConfigLimit }) => list.configsOf(configCount, limitText(vpnConfigLimit, words)),
      text: ({ configCount }) => configCount,
    },
    {
      key: "lastHandshake",
      title: list.lastHandshake,
      right: true,
      sortable: true,
      cell: ({ lastHandshake }) => (
        <span className={cells.quiet}>{seenText(lastHandshake, nowMs, words, text.age)}</span>
      ),
      text: ({ lastHandshake }) => (lastHandshake === null ? "" : sheetMoment(lastHandshake)),
    },
    {
      key: "monthBytes",
      title: list.month,
      right: true,
      sortable: true,
      cell: ({ monthBytes }) => (
        <span className={classes.traffic}>
          <span className={classes.bar} aria-hidden="true">
            <span style={{ width: `${mostBytes === 0 ? 0 : (100 * monthBytes) / mostBytes}%` }} />
          </span>
          <span className={classes.bytes}>{sizeText(monthBytes, language)}</span>
        </span>
      ),
      fileTitle: list.monthInMb,
      text: ({ monthBytes }) => inMb(monthBytes),
    },
    {
      key: "createdAt",
      title: list.createdAt,
      right: true,
      sortable: true,
      cell: ({ createdAt }) => <span className={cells.quiet}>{shortDay(new Date(createdAt))}</span>,
      text: ({ createdAt }) => sheetMoment(Date.parse(createdAt)),
    },
    {
      key: "groups",
      title: list.groups,
      cell: (member) => <span className={cells.quiet}>{groupNames(member)}</span>,
      text: groupNames,
    },
    // Only in the exported file: the table shows them under the name and the subscription.
    { key: "username", title: list.username, text: ({ username }) => username },
    {
      key: "limit",
      title: list.limit,
      text: ({ vpnConfigLimit }) => (vpnConfigLimit === NO_LIMIT ? words.page.noLimit : vpnConfigLimit),
    },
    {
      key: "subscriptionEnd",
      title: list.subscriptionEnd,
      text: ({ subscriptionEnd }) => (subscriptionEnd ? clubDay(subscriptionEnd) : ""),
    },
  ];
}

/** Columns that are hidden by default. */
export const HIDDEN_FIRST = { always: ["createdAt", "groups"], narrow: ["role", "lastHandshake", "monthBytes"] };

export const groupNames = ({ groups }: ListedMember) => groups.map(({ name }) => name).join(", ");

function NameCell({ member }: { member: ListedMember }) {
  const { list } = useUsersWords();
  return (
    <StaffLink to={`users/${member.username}`} className={cells.name}>
      <b>{member.displayName}</b>
      <span>
        {member.username}
        {member.isVip && <i className={classes.vip}>{list.vip}</i>}
        {member.noteCount > 0 && (
          <IconNote
            className={classes.noted ?? ""}
            size={16}
            stroke={1.6}
            role="img"
            aria-label={list.noted(member.noteCount)}
          />
        )}
      </span>
    </StaffLink>
  );
}
