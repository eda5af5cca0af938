import { useQuery } from "@tanstack/react-query";
import { clubDay, sheetMoment, shortDay } from "../../../lib/format.ts";
import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import { CodeState } from "./code-state.tsx";
import { expiresText, givesText, interfaceNames, usesText } from "./code-words.ts";
import classes from "./staff-invites.module.css";
import { type InviteCode, interfacesQuery } from "./staff-queries.ts";
import { useStaffInvitesWords } from "./staff-words.ts";

/** The columns of the list of codes. */
export function useCodeColumns(): Column<InviteCode>[] {
  const words = useStaffInvitesWords();
  const { data: interfaces } = useQuery(interfacesQuery);
  const { list, states } = words;
  return [
    {
      key: "code",
      title: list.code,
      fixed: true,
      cell: ({ id, code }) => (
        <StaffLink to={`invites/${id}`} className={classes.code}>
          {code}
        </StaffLink>
      ),
      text: ({ code }) => code,
    },
    {
      key: "state",
      title: list.state,
      cell: ({ state }) => <CodeState ring state={state} />,
      text: ({ state }) => states[state],
    },
    {
      key: "gives",
      title: list.gives,
      cell: (code) => (
        <>
          <span className={cells.nowrap}>{givesText(code, words)}</span>
          {code.template && <span className={cells.more}>{code.template.name}</span>}
        </>
      ),
      text: (code) => givesText(code, words),
    },
    {
      key: "interfaces",
      title: list.interfaces,
      cell: (code) => <span className={cells.quiet}>{interfaceNames(code, interfaces).join(", ")}</span>,
      text: (code) => interfaceNames(code, interfaces).join(", "),
    },
    {
      key: "createdBy",
      title: list.createdBy,
      cell: ({ createdBy }) =>
        createdBy ? (
          <StaffLink to={`users/${createdBy.username}`} className={classes.person}>
            {createdBy.displayName}
          </StaffLink>
        ) : (
          <span className={cells.quiet}>{list.gone}</span>
        ),
      text: ({ createdBy }) => createdBy?.displayName ?? "",
    },
    {
      key: "createdAt",
      title: list.createdAt,
      right: true,
      cell: ({ createdAt }) => <span className={cells.quiet}>{shortDay(new Date(createdAt))}</span>,
      text: ({ createdAt }) => sheetMoment(Date.parse(createdAt)),
    },
    {
      key: "expires",
      title: list.expires,
      right: true,
      cell: (code) => expiresText(code, words),
      text: ({ expiresAt }) => (expiresAt ? sheetMoment(Date.parse(expiresAt)) : ""),
    },
    {
      key: "uses",
      title: list.uses,
      right: true,
      cell: (code) => usesText(code, words),
      text: ({ currentUses }) => currentUses,
    },
    // Only in the exported file: the table shows it differently.
    { key: "template", title: list.template, text: ({ template }) => template?.name ?? "" },
    { key: "maxUses", title: list.maxUses, text: ({ maxUses }) => maxUses },
    {
      key: "subscriptionDays",
      title: list.subscriptionDays,
      text: ({ subscriptionDays }) => subscriptionDays ?? "",
    },
    {
      key: "subscriptionEnd",
      title: list.subscriptionEnd,
      text: ({ subscriptionEndDate }) => (subscriptionEndDate ? clubDay(subscriptionEndDate) : ""),
    },
  ];
}

/** Columns that a table does not show until they are asked for. */
export const HIDDEN_FIRST = { always: ["interfaces"], narrow: ["createdAt", "createdBy"] };
