import { NO_LIMIT } from "@krug/domain/config-rules";
import { Button } from "@mantine/core";
import { IconMessageCircle, IconPencil } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ApiError } from "../../../lib/api.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useNow } from "../../../lib/use-now.ts";
import cells from "../../../ui/cells.module.css";
import { Following } from "../../../ui/following.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { MoreMenu } from "../../../ui/more-menu.tsx";
import { Columns, Panel } from "../../../ui/panel.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { MEMBERS, Screen, StaffLink, useMay, useViewed } from "../../club/staff/index.ts";
import { PaymentsOf, useStaffPaymentsWords } from "../../money/payments/index.ts";
import { TrafficOf } from "../../operation/statistics/index.ts";
import { NotesOf } from "../notes/index.ts";
import { ConfigsOf } from "./configs-of.tsx";
import { MemberFacts } from "./facts.tsx";
import { FriendsOf } from "./friends-of.tsx";
import { History } from "./history.tsx";
import classes from "./member-page.module.css";
import { PlacesOf } from "./places-of.tsx";
import { configsOfQuery, type MemberFile, memberFileQuery } from "./queries.ts";
import { RoleBadge } from "./role-badge.tsx";
import { SessionsOf } from "./sessions-of.tsx";
import { StateWords, stateOf } from "./standing.tsx";
import { useMemberActions } from "./use-member-actions.tsx";
import { useUsersWords } from "./words.ts";

/** All that staff see of one member; `id` is an id or username. */
export function MemberPage({ id }: { id: string }) {
  const { screens } = useStaffWords();
  const { page: words, list } = useUsersWords();
  const { viewedRole } = useViewed();
  const mayModify = useMay("members.change");
  const file = useQuery(memberFileQuery(id, viewedRole));
  const gone = file.error instanceof ApiError && file.error.status === 404;
  return (
    <Screen
      title={file.data?.member.displayName ?? (gone ? words.gone : id)}
      readOnly={!mayModify}
      parent={{ path: "users", title: screens.users }}
    >
      {gone ? (
        <>
          <p className={cells.quiet}>{words.goneLead}</p>
          <StaffLink to="users" className={cells.link}>
            {words.toList}
          </StaffLink>
        </>
      ) : (
        file.isError && <LoadFailed title={list.failed} error={file.error} onRetry={() => void file.refetch()} />
      )}
      {file.isPending && <Waiting label={words.loading} />}
      {file.data && !gone && <Whole file={file.data} />}
    </Screen>
  );
}

function Whole({ file }: { file: MemberFile }) {
  const { actions, list, page } = useUsersWords();
  const { table } = useStaffWords();
  const mayModify = useMay("members.change");
  const nowMs = useNow(15_000);
  const { history } = useStaffPaymentsWords();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { member } = file;
  const isComing = useQuery(configsOfQuery(member.id)).isLoading;
  const act = useMemberActions({
    onDeleted: () => void navigate({ to: "/admin/$", params: { _splat: "users" }, replace: true }),
  });
  return (
    <>
      <div className={classes.standing}>
        <StateWords ring state={stateOf(member, nowMs)} />
        <RoleBadge role={member.role} />
        {member.pendingRole && <span className={classes.badge}>{list.promised[member.pendingRole]}</span>}
        {member.isVip && <span className={classes.badge}>{list.vip}</span>}
        <span className={classes.acts}>
          <StaffLink to="support" search={{ with: member.id }} className={classes.write}>
            <IconMessageCircle size={18} stroke={1.6} aria-hidden="true" />
            {page.write}
          </StaffLink>
          {mayModify && (
            <Button
              variant="outline"
              leftSection={<IconPencil size={18} stroke={1.6} aria-hidden="true" />}
              onClick={() => act.edit(member)}
            >
              {actions.edit}
            </Button>
          )}
          <MoreMenu label={table.actions(member.displayName)} groups={act.groupsFor(member)} />
        </span>
      </div>
      <Columns shape="halves">
        <div>
          {/* The most common question: is the member connected, and if not, why. */}
          <ConfigsOf
            member={member}
            limit={member.vpnConfigLimit === NO_LIMIT ? null : member.vpnConfigLimit}
            nowMs={nowMs}
          />
          <Following waits={isComing}>
            <MemberFacts file={file} nowMs={nowMs} />
            <NotesOf
              memberId={member.id}
              nowMs={nowMs}
              onChange={() => void queryClient.invalidateQueries({ queryKey: MEMBERS })}
            />
            <TrafficOf key={member.id} memberId={member.id} nowMs={nowMs} />
          </Following>
        </div>
        <div>
          <Following waits={isComing}>
            <Panel title={history.heading}>
              <PaymentsOf
                memberId={member.id}
                nowMs={nowMs}
                onSet={() => void queryClient.invalidateQueries({ queryKey: MEMBERS })}
              />
            </Panel>
            <PlacesOf memberId={member.id} />
            <FriendsOf memberId={member.id} nowMs={nowMs} />
            <SessionsOf file={file} nowMs={nowMs} />
            <History entries={file.history} nowMs={nowMs} />
          </Following>
        </div>
      </Columns>
      {act.dialogs}
    </>
  );
}
