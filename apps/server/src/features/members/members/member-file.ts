import type { contract } from "@krug/contract/api";
import type { AnswerOf } from "@krug/contract/endpoint";
import type { MemberHistoryAnswer } from "@krug/contract/members/members";
import { isoOf } from "@krug/domain/moment";
import type { Db } from "../../../platform/database/database.ts";
import type { Audit } from "../../club/audit/index.ts";
import type { Templates } from "../templates/index.ts";
import { vipIds } from "./list.ts";
import type { SignIn } from "./parts.ts";
import * as repository from "./repository.ts";
import type { MemberRow } from "./table.ts";

const HISTORY_SHOWN = 50;

export interface MemberFileParts {
  db: Db;
  audit: Audit;
  auth: Pick<SignIn, "aliveSessions">;
  /** Of a feature above this one. */
  twoFactor: { isEnabled(memberId: string): Promise<boolean> };
  /** Likewise. */
  passkeys: { countOf(memberId: string): Promise<number> };
  templates: Pick<Templates, "begunWith">;
}

type File = AnswerOf<typeof contract.members.file>;

/** What staff see of a member besides the row. `withVip`: the asker may see VIP members. */
export function makeMemberFile({ db, audit, auth, twoFactor, passkeys, templates }: MemberFileParts) {
  const hidden = { vip: vipIds(db), among: (ids: readonly string[]) => repository.vipAmong(db, ids) };
  return async (row: MemberRow, { withVip }: { withVip: boolean }): Promise<Omit<File, "member" | "quota">> => {
    const [sessions, history, twoFactorEnabled, passkeyCount, template] = await Promise.all([
      auth.aliveSessions(row.id),
      audit.ofMember(db, row.id, { limit: HISTORY_SHOWN, hidden: withVip ? null : hidden }),
      twoFactor.isEnabled(row.id),
      passkeys.countOf(row.id),
      templates.begunWith(db, row.id),
    ]);
    const named = await namesOf(
      [row.invited_by, ...history.map(({ actorId }) => actorId)].filter((id) => id !== null),
      withVip,
    );
    return {
      invitedBy: (row.invited_by !== null && named.get(row.invited_by)) || null,
      joinedBy: row.invite_code_id === null ? "added" : row.friend_of === null ? "staff_code" : "friend",
      template: template?.name ?? null,
      hasPassword: row.password_hash !== null,
      twoFactorEnabled,
      passkeyCount,
      sessions: sessions.map(({ id, device, created_at, last_seen_at }) => ({
        id,
        device,
        createdAt: isoOf(created_at),
        lastSeenAt: isoOf(last_seen_at),
      })),
      history: history.map(
        ({ at, actorId, action, before, after }): MemberHistoryAnswer => ({
          at: isoOf(at),
          action,
          by: (actorId !== null && named.get(actorId)) || null,
          before,
          after,
        }),
      ),
    };
  };

  async function namesOf(ids: readonly string[], withVip: boolean) {
    const rows = await repository.byIds(db, [...new Set(ids)]);
    return new Map(
      rows
        .filter((row) => withVip || row.is_vip === 0)
        .map((row) => [row.id, { id: row.id, username: row.username, displayName: row.display_name }]),
    );
  }
}
