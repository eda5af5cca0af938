import { Button, Checkbox } from "@mantine/core";
import { IconBan, IconPencil } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../../lib/api.ts";
import { clubDay, dayText, shortDay, writtenDay } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useNow } from "../../../lib/use-now.ts";
import cells from "../../../ui/cells.module.css";
import { type Fact, Facts } from "../../../ui/facts.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Columns, Panel } from "../../../ui/panel.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { Screen, StaffLink, useMay, useViewed } from "../../club/staff/index.ts";
import { BulkActions } from "../../members/users/index.ts";
import { CodeState } from "./code-state.tsx";
import { CodeToPassOn } from "./code-to-pass-on.tsx";
import { expiresText, givesText, interfaceNames, usesText } from "./code-words.ts";
import { CLUB_INVITES } from "./queries.ts";
import classes from "./staff-invites.module.css";
import { codeQuery, type InviteCode, interfacesQuery, type Newcomer, newcomersQuery } from "./staff-queries.ts";
import { type StaffInvitesWords, useStaffInvitesWords } from "./staff-words.ts";
import { useCodeActions } from "./use-code-actions.tsx";

const SHOWN_FIRST = 20;
const SHOWN_AT_MOST = 1000;

/** One code: what it gives, and who joined with it. */
export function CodePage({ id }: { id: string }) {
  const { screens } = useStaffWords();
  const words = useStaffInvitesWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("invites.change");
  const code = useQuery(codeQuery(id, viewedRole));
  const gone = code.error instanceof ApiError && code.error.status === 404;
  return (
    <Screen
      title={gone ? words.page.gone : words.page.title}
      readOnly={!mayModify}
      parent={{ path: "invites", title: screens.invites }}
    >
      {gone ? (
        <>
          <p className={cells.quiet}>{words.page.goneLead}</p>
          <StaffLink to="invites" className={cells.link}>
            {words.page.toList}
          </StaffLink>
        </>
      ) : (
        code.isError && <LoadFailed title={words.loadFailed} error={code.error} onRetry={() => void code.refetch()} />
      )}
      {code.isPending && <Waiting label={words.page.loading} />}
      {code.data && !gone && <Whole code={code.data} />}
    </Screen>
  );
}

function Whole({ code }: { code: InviteCode }) {
  const words = useStaffInvitesWords();
  const { data: interfaces } = useQuery(interfacesQuery);
  const actions = useCodeActions();
  const { list, page } = words;
  const facts: Fact[] = [
    [list.gives, givesText(code, words)],
    [list.uses, usesText(code, words)],
    [list.expires, expiresText(code, words)],
    [list.interfaces, interfaceNames(code, interfaces).join(", ") || list.gone],
    ...(code.template ? [[list.template, code.template.name] as Fact] : []),
    [list.createdAt, shortDay(new Date(code.createdAt))],
    [
      list.createdBy,
      code.createdBy ? (
        <StaffLink key="by" to={`users/${code.createdBy.username}`} className={cells.link}>
          {code.createdBy.displayName}
        </StaffLink>
      ) : (
        list.gone
      ),
    ],
  ];
  return (
    <>
      <div className={classes.standing}>
        <CodeState ring state={code.state} />
        {actions.mayChange(code) && (
          <span className={classes.acts}>
            <Button
              variant="outline"
              leftSection={<IconPencil size={18} stroke={1.6} aria-hidden="true" />}
              onClick={() => actions.edit(code)}
            >
              {words.actions.edit}
            </Button>
            <Button
              variant="subtle"
              data-danger
              leftSection={<IconBan size={18} stroke={1.6} aria-hidden="true" />}
              onClick={() => actions.deactivate(code)}
            >
              {words.actions.deactivate}
            </Button>
          </span>
        )}
      </div>
      <Columns shape="halves">
        <Panel title={page.facts}>
          {code.state === "active" ? (
            <CodeToPassOn code={code.code} />
          ) : (
            <p className={classes.deadCode}>{code.code}</p>
          )}
          <Facts facts={facts} />
        </Panel>
        <Newcomers id={code.id} />
      </Columns>
      {actions.dialogs}
    </>
  );
}

function Newcomers({ id }: { id: string }) {
  const words = useStaffInvitesWords();
  const { text, language } = useSpeech();
  const { table } = useStaffWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("members.change");
  const queryClient = useQueryClient();
  const nowMs = useNow(60_000);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [limit, setLimit] = useState(SHOWN_FIRST);
  const newcomers = useQuery(newcomersQuery(id, limit, viewedRole));
  const { rows = [], total } = newcomers.data ?? {};
  const taken = rows.filter((row) => chosen.has(row.id));
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((other) => other !== id)));
  return (
    <Panel title={words.page.joined} count={total || undefined}>
      <Loading of={newcomers} failed={words.page.joinedFailed} />
      {newcomers.data && rows.length === 0 && <p className={cells.quiet}>{words.page.nobody}</p>}
      {/* Always there, so that no row moves under a finger. */}
      {mayModify && rows.length > 0 && (
        <div className={classes.choosing}>
          <Checkbox
            label={taken.length === 0 ? table.selectAll : table.selected(taken.length)}
            checked={taken.length === rows.length}
            indeterminate={taken.length > 0 && taken.length < rows.length}
            onChange={(event) => setChosen(new Set(event.currentTarget.checked ? rows.map((row) => row.id) : []))}
          />
          {taken.length > 0 && (
            <BulkActions
              members={taken}
              all={null}
              onDone={() => {
                setChosen(new Set());
                void queryClient.invalidateQueries({ queryKey: CLUB_INVITES });
              }}
            />
          )}
        </div>
      )}
      <Lines>
        {rows.map((member) => (
          <Line
            key={member.id}
            {...(mayModify
              ? {
                  before: (
                    <Checkbox
                      aria-label={table.selectOne(member.displayName)}
                      checked={chosen.has(member.id)}
                      onChange={(event) => choose(member.id, event.currentTarget.checked)}
                    />
                  ),
                }
              : {})}
            ring={member.entitlement.allowed ? "done" : member.isActive ? "warn" : "bad"}
            much={dayText(member.joinedAt, nowMs, language, text.age)}
          >
            <StaffLink to={`users/${member.username}`} className={cells.link}>
              {member.displayName}
            </StaffLink>
            <span>{standingText(member, words, (day) => writtenDay(day, nowMs, language))}</span>
          </Line>
        ))}
      </Lines>
      {newcomers.data?.next && limit === SHOWN_FIRST && (
        <Button variant="subtle" onClick={() => setLimit(SHOWN_AT_MOST)}>
          {words.page.more}
        </Button>
      )}
    </Panel>
  );
}

function standingText(
  { entitlement: { reason, until } }: Newcomer,
  { page: { standing } }: StaffInvitesWords,
  dayText: (day: string) => string,
): string {
  if (reason === "subscription") return standing.subscription(until === null ? "" : dayText(clubDay(until)));
  return standing[reason];
}
