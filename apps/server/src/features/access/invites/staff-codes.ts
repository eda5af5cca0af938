import type { InviteCodeChangeInput, NewInviteCodeInput } from "@krug/contract/access/invites";
import type { AuditAction } from "@krug/domain/audit-actions";
import type { ColumnsOf } from "@krug/domain/fields/field";
import { INVITE_FIELDS } from "@krug/domain/fields/invite";
import { inviteState } from "@krug/domain/invite-rules";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import type { Db, Tx } from "../../../platform/database/database.ts";
import { columnsOf, recordedOf, seenOf } from "../../../platform/described-fields.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { subscriptionEndOn } from "../../members/members/index.ts";
import { type CodeBook, standingOf } from "./code-book.ts";
import { inviteCodesChanged } from "./events.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { InviteRow } from "./table.ts";

type Terms = ColumnsOf<typeof INVITE_FIELDS>;

/** Staff codes, with what each grants; every change is audited (specification, operator's side 2-5). */
export function makeStaffCodes(parts: InviteParts, codeBook: CodeBook) {
  const { transact, clock, clubTime, events, audit, interfaces, templates } = parts;

  const find = async (db: Db | Tx, codeOrId: string): Promise<InviteRow | undefined> => {
    const byId = await repository.staffCodeById(db, codeOrId);
    const codeHash = codeBook.hashOfTyped(codeOrId);
    return byId ?? (codeHash === null ? undefined : repository.staffCodeByHash(db, codeHash));
  };
  const lock = async (tx: Tx, codeOrId: string): Promise<InviteRow> => {
    const found = (await find(tx, codeOrId)) ?? refuse("invite.not_found");
    return (await repository.lock(tx, found.id)) ?? refuse("invite.not_found");
  };

  /** As stored; null stays null, and an already stored value may be past. */
  const expiry = (written: string | null, stored: number | null = null) => {
    const at = written === null ? null : clubTime.readWritten(written);
    if (at !== null && at !== stored && !(at > clock.now().getTime()))
      refuse("invite.expires_in_past", { field: "expiresAt" });
    return at;
  };
  const subscriptionEnd = (written: string | null, stored: number | null = null) => {
    if (written === null || clubTime.readWritten(written) === stored) return written === null ? null : stored;
    return subscriptionEndOn(written, clubTime, clock.now(), "subscriptionEndDate");
  };
  const refuseUnknown = async (tx: Tx, input: InviteCodeChangeInput) => {
    if (input.interfaces && !(await interfaces.exist(tx, input.interfaces)))
      refuse("interface.unknown", { field: "interfaces" });
    if (input.templateId != null && !(await templates.hold(tx, input.templateId)))
      refuse("template.unknown", { field: "templateId" });
  };
  /** Days or an end date, not both (specification, operator's side 5). */
  const refuseBoth = ({ subscriptionDays, subscriptionEndDate }: InviteCodeChangeInput) => {
    if (subscriptionDays != null && subscriptionEndDate != null)
      refuse("invite.days_or_date", { field: "subscriptionEndDate" });
  };

  const write = async (tx: Tx, actor: Actor, action: AuditAction, before: InviteRow, terms: Partial<Terms>) => {
    const after = { ...before, ...terms };
    await repository.update(tx, before.id, terms);
    await audit.record(tx, actor.memberId, action, {
      target: before.id,
      before: recordedOf(INVITE_FIELDS, before),
      after: recordedOf(INVITE_FIELDS, after),
    });
    await events.record(tx, inviteCodesChanged, {});
    return after;
  };

  return {
    find,

    add(actor: Actor, input: NewInviteCodeInput): Promise<InviteRow> {
      refuseBoth(input);
      return transact(async (tx) => {
        await refuseUnknown(tx, input);
        const row = await codeBook.write(tx, {
          kind: "staff",
          created_by: actor.memberId,
          created_at: clock.now().getTime(),
          current_uses: 0,
          max_uses: input.maxUses,
          interface_ids: JSON.stringify([...new Set(input.interfaces)]),
          subscription_days: input.subscriptionDays ?? null,
          template_id: input.templateId ?? null,
          expires_at: expiry(input.expiresAt ?? null),
          subscription_end: subscriptionEnd(input.subscriptionEndDate ?? null),
          is_active: 1,
        });
        await audit.record(tx, actor.memberId, "invite.added", {
          target: row.id,
          after: recordedOf(INVITE_FIELDS, row),
        });
        await events.record(tx, inviteCodesChanged, {});
        return row;
      });
    },

    /** Never reactivates a code, not even with a later date or more uses (decisions, section 4). */
    change(actor: Actor, codeOrId: string, input: InviteCodeChangeInput): Promise<InviteRow> {
      refuseBoth(input);
      return transact(async (tx) => {
        const before = await lock(tx, codeOrId);
        const fields = changedMeanwhile(seenOf(INVITE_FIELDS, before), input, input.expected);
        if (fields.length > 0) refuse("invite.changed_meanwhile", { fields });
        await refuseUnknown(tx, input);
        const terms: Partial<Terms> = columnsOf(INVITE_FIELDS, input);
        if (input.expiresAt !== undefined) terms.expires_at = expiry(input.expiresAt, before.expires_at);
        if (input.subscriptionEndDate !== undefined)
          terms.subscription_end = subscriptionEnd(input.subscriptionEndDate, before.subscription_end);
        // Setting one clears the other.
        if (input.subscriptionDays != null) terms.subscription_end = null;
        if (input.subscriptionEndDate != null) terms.subscription_days = null;
        const stateOf = (row: InviteRow) => inviteState(standingOf(row), clock.now());
        if (stateOf(before) !== "active" && stateOf({ ...before, ...terms }) === "active") refuse("invite.not_active");
        return Object.keys(terms).length === 0 ? before : write(tx, actor, "invite.changed", before, terms);
      });
    },

    /** All codes that a member made and that still work. */
    async deactivateOf(tx: Tx, actor: Actor, memberId: string): Promise<void> {
      for (const { id } of await repository.workingStaffCodesOf(tx, memberId)) {
        const before = await repository.lock(tx, id);
        if (before?.is_active === 1) await write(tx, actor, "invite.deactivated", before, { is_active: 0 });
      }
      await repository.deactivateOwnCodes(tx, memberId);
    },

    deactivate: (actor: Actor, codeOrId: string): Promise<InviteRow> =>
      transact(async (tx) => {
        const before = await lock(tx, codeOrId);
        return before.is_active === 0 ? before : write(tx, actor, "invite.deactivated", before, { is_active: 0 });
      }),
  };
}
