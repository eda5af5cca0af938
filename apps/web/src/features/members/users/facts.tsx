import { NO_LIMIT } from "@krug/domain/config-rules";
import { Button } from "@mantine/core";
import { useState } from "react";
import { longDay, sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import cells from "../../../ui/cells.module.css";
import { type Fact, Facts } from "../../../ui/facts.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { StaffLink, useMay, useViewed } from "../../club/staff/index.ts";
import { GroupsOf } from "../groups/index.ts";
import { ResetDialog } from "./lazy-reset-dialog.ts";
import classes from "./member-page.module.css";
import type { MemberFile } from "./queries.ts";
import { QuotaOf } from "./quota-of.tsx";
import type { Reset } from "./reset-dialog.tsx";
import { seenText, subscriptionText } from "./standing.tsx";
import { useLabels } from "./use-labels.ts";
import { useUsersWords } from "./words.ts";

/** Facts about a member, and who invited them. */
export function MemberFacts({ file, nowMs }: { file: MemberFile; nowMs: number }) {
  const words = useUsersWords();
  const { text, language } = useSpeech();
  const labels = useLabels();
  const { me } = useViewed();
  const mayResetOthers = useMay("members.reset_two_factor");
  const { page, list, subscriptions } = words;
  const { member, invitedBy, joinedBy } = file;
  const [resetting, setResetting] = useState<Reset | null>(null);
  const mayReset = mayResetOthers && file.twoFactorEnabled && member.id !== me.id;
  const facts: Fact[] = [
    [page.username, member.username],
    [page.subscription, subscriptionText(member, subscriptions, nowMs)],
    [list.groups, <GroupsOf key="groups" member={member} />],
    [page.limit, member.vpnConfigLimit === NO_LIMIT ? page.noLimit : member.vpnConfigLimit],
    [page.quota, <QuotaOf key="quota" file={file} nowMs={nowMs} />],
    ...(member.speedMbit === null ? [] : [[labels.speedMbit, member.speedMbit] as Fact]),
    [page.month, sizeText(member.monthBytes, language)],
    [page.lastHandshake, seenText(member.lastHandshake, nowMs, words, text.age)],
    [page.joined, `${longDay(new Date(member.createdAt), nowMs, language)}, ${page.joinedBy[joinedBy]}`],
    ...(invitedBy
      ? [
          [
            page.invitedBy,
            <StaffLink key="by" to={`users/${invitedBy.username}`} className={cells.link}>
              {invitedBy.displayName}
            </StaffLink>,
          ] as Fact,
        ]
      : []),
    ...(file.template === null ? [] : [[page.template, file.template] as Fact]),
    ...(member.inviteCode ? [[page.code, <code key="code">{member.inviteCode}</code>] as Fact] : []),
    [page.rules, member.hasAcceptedRules ? page.rulesAccepted : page.rulesNot],
    [page.telegram, member.telegramConnected ? page.linked : page.notLinked],
    [page.password, file.hasPassword ? page.passwordSet : page.passwordNot],
    ...(file.passkeyCount === 0
      ? []
      : [
          [
            page.passkeys,
            <span key="passkeys" className={classes.withAct}>
              {file.passkeyCount}
              {mayResetOthers && member.id !== me.id && (
                <Button variant="subtle" data-danger onClick={() => setResetting("passkeys")}>
                  {words.actions.resetPasskeys}
                </Button>
              )}
            </span>,
          ] as Fact,
        ]),
    ...(member.role === "user"
      ? []
      : [
          [
            page.twoFactor,
            <span key="2fa" className={classes.withAct}>
              {file.twoFactorEnabled ? page.twoFactorOn : page.twoFactorOff}
              {mayReset && (
                <Button variant="subtle" data-danger onClick={() => setResetting("twoFactor")}>
                  {words.actions.resetTwoFactor}
                </Button>
              )}
            </span>,
          ] as Fact,
        ]),
  ];
  return (
    <Panel title={page.facts}>
      <Facts facts={facts} />
      {resetting && <ResetDialog what={resetting} memberId={member.id} onClose={() => setResetting(null)} />}
    </Panel>
  );
}
