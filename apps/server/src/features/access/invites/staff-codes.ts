import type { InviteCodeChangeInput, NewInviteCodeInput } from "@krug/contract/access/invites";
import type { AuditAction } from "@krug/domain/audit-actions";
import { inviteState } from "@krug/domain/invite-rules";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { refuse } from "../../../platform/refusal.ts";
import { subscriptionEndOn } from "../../members/members/index.ts";
import { type CodeBook, standingOf } from "./code-book.ts";
import { inviteCodesChanged } from "./events.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { InviteRow } from "./table.ts";

type Terms = Pick<
  InviteRow,
  "max_uses" | "interface_ids" | "template_id" | "expires_at" | "subscription_days" | "subscription_end" | "is_active"
>;

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
  const interfaceIds = async (tx: Tx, ids: readonly string[]) => {
    if (!(await interfaces.exist(tx, ids))) refuse("interface.unknown", { field: "interfaces" });
    return JSON.stringify([...new Set(ids)]);
  };
  const templateId = async (tx: Tx, id: string | null | undefined) =>
    id == null ? null : ((await templates.hold(tx, id))?.id ?? refuse("template.unknown", { field: "templateId" }));
  /** Days or an end date, not both (specification, operator's side 5). */
  const refuseBoth = ({ subscriptionDays, subscriptionEndDate }: InviteCodeChangeInput) => {
    if (subscriptionDays != null && subscriptionEndDate != null)
      refuse("invite.days_or_date", { field: "subscriptionEndDate" });
  };

  const write = async (tx: Tx, actor: Actor, action: AuditAction, before: InviteRow, terms: Partial<Terms>) => {
    const after = { ...before, ...terms };
    await repository.update(tx, before.id, terms);
    await audit.record(tx, {
      actorId: actor.memberId,
      action,
      target: before.id,
      before: termsOf(before),
      after: termsOf(after),
    });
    await events.record(tx, inviteCodesChanged, {});
    return after;
  };

  return {
    find,

    add(actor: Actor, wish: NewInviteCodeInput): Promise<InviteRow> {
      refuseBoth(wish);
      return transact(async (tx) => {
        const row = await codeBook.write(tx, {
          kind: "staff",
          created_by: actor.memberId,
          created_at: clock.now().getTime(),
          expires_at: expiry(wish.expiresAt ?? null),
          max_uses: wish.maxUses,
          current_uses: 0,
          subscription_days: wish.subscriptionDays ?? null,
          subscription_end: subscriptionEnd(wish.subscriptionEndDate ?? null),
          interface_ids: await interfaceIds(tx, wish.interfaces),
          template_id: await templateId(tx, wish.templateId),
          is_active: 1,
        });
        await audit.record(tx, {
          actorId: actor.memberId,
          action: "invite.added",
          target: row.id,
          after: termsOf(row),
        });
        await events.record(tx, inviteCodesChanged, {});
        return row;
      });
    },

    /** Never reactivates a code, not even with a later date or more uses (decisions, section 4). */
    change(actor: Actor, codeOrId: string, wish: InviteCodeChangeInput): Promise<InviteRow> {
      refuseBoth(wish);
      return transact(async (tx) => {
        const before = await lock(tx, codeOrId);
        refuseUnseen(before, wish);
        const terms: Partial<Terms> = {};
        if (wish.maxUses !== undefined) terms.max_uses = wish.maxUses;
        if (wish.interfaces !== undefined) terms.interface_ids = await interfaceIds(tx, wish.interfaces);
        if (wish.templateId !== undefined) terms.template_id = await templateId(tx, wish.templateId);
        if (wish.expiresAt !== undefined) terms.expires_at = expiry(wish.expiresAt, before.expires_at);
        if (wish.subscriptionDays !== undefined) terms.subscription_days = wish.subscriptionDays;
        if (wish.subscriptionEndDate !== undefined)
          terms.subscription_end = subscriptionEnd(wish.subscriptionEndDate, before.subscription_end);
        // Setting one clears the other.
        if (wish.subscriptionDays != null) terms.subscription_end = null;
        if (wish.subscriptionEndDate != null) terms.subscription_days = null;
        const stateOf = (row: InviteRow) => inviteState(standingOf(row), clock.now());
        if (stateOf(before) !== "active" && stateOf({ ...before, ...terms }) === "active") refuse("invite.not_active");
        return Object.keys(terms).length === 0 ? before : write(tx, actor, "invite.changed", before, terms);
      });
    },

    deactivate: (actor: Actor, codeOrId: string): Promise<InviteRow> =>
      transact(async (tx) => {
        const before = await lock(tx, codeOrId);
        return before.is_active === 0 ? before : write(tx, actor, "invite.deactivated", before, { is_active: 0 });
      }),
  };
}

/** Refuses if somebody else has changed the same fields (`expected` says what the editor saw). */
function refuseUnseen(row: InviteRow, { expected }: InviteCodeChangeInput): void {
  if (expected === undefined) return;
  const at = (seen: string | null | undefined) => (typeof seen === "string" ? Date.parse(seen) : seen);
  const ids = (list: readonly string[]) => [...list].sort().join();
  const pairs: [string, unknown, unknown][] = [
    ["maxUses", expected.maxUses, row.max_uses],
    ["interfaces", expected.interfaces && ids(expected.interfaces), ids(JSON.parse(row.interface_ids) as string[])],
    ["expiresAt", at(expected.expiresAt), row.expires_at],
    ["subscriptionDays", expected.subscriptionDays, row.subscription_days],
    ["templateId", expected.templateId, row.template_id],
    ["subscriptionEndDate", at(expected.subscriptionEndDate), row.subscription_end],
  ];
  const fields = pairs.filter(([, seen, now]) => seen !== undefined && seen !== now).map(([name]) => name);
  if (fields.length > 0) refuse("invite.changed_meanwhile", { fields });
}

/** For the audit: everything but the code. */
const termsOf = (row: InviteRow): Terms => ({
  max_uses: row.max_uses,
  interface_ids: row.interface_ids,
  template_id: row.template_id,
  expires_at: row.expires_at,
  subscription_days: row.subscription_days,
  subscription_end: row.subscription_end,
  is_active: row.is_active,
});
