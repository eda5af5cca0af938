import { randomUUID } from "node:crypto";
import type { contract } from "@krug/contract/api";
import type { AnswerOf, BodyOf } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { refusalText } from "@krug/contract/refusals";
import { hundredthsOf } from "@krug/domain/money";
import { UNDO_UNTIL_MS } from "@krug/domain/undo";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import { requestFingerprint } from "../../../platform/http/request-fingerprint.ts";
import { Refusal, refuse } from "../../../platform/refusal.ts";
import { lockTargets, makeChangeMembers } from "./change-member.ts";
import { staffWrote } from "./events.ts";
import { foundAfter, type MemberSearch } from "./list.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";

type Input = BodyOf<typeof contract.members.changeMany>;
type Change = Omit<Input, "ids">;

/** The result of one call. */
interface Outcome {
  changed: string[];
  refused: { id: string; code: string; message: string }[];
  /** Where the next slice begins; null after the last. */
  after: string | null;
}

/** Matching members changed in one transaction, so that others do not wait long for the locks. */
const SLICE = 100;

/**
 * Applies one action to many members in one transaction, in about as many statements as for one. Members that it cannot apply to are
 * left out, with the reason.
 */
export function makeChangeMany(parts: MemberUseParts) {
  const { transact, clock, clubTime, events, settings, audit, groups, templates } = parts;
  const { decide, write } = makeChangeMembers(parts);

  /** For each member: the decision, or the reason for the refusal. */
  const decideEach = <Decided>(ids: readonly string[], language: Language, decide: (id: string) => Decided) => {
    const decided: Decided[] = [];
    const changed: string[] = [];
    const refused: Outcome["refused"] = [];
    for (const id of ids) {
      try {
        decided.push(decide(id));
        changed.push(id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.push({ id, code: error.code, message: refusalText(error.code, language, error.details) });
      }
    }
    return { decided, outcome: { changed, refused } };
  };

  const writeTo = async (tx: Tx, actor: Actor, ids: readonly string[], message: string, language: Language) => {
    const known = new Set((await repository.byIds(tx, ids)).map(({ id }) => id));
    const { decided, outcome } = decideEach(ids, language, (id) => (known.has(id) ? id : refuse("member.not_found")));
    await events.recordAll(
      tx,
      staffWrote,
      decided.map((memberId) => ({ memberId, text: message })),
    );
    await audit.recordAll(
      tx,
      decided.map((target) => ({
        actorId: actor.memberId,
        action: "inbox.message_sent",
        target,
        after: { message },
      })),
    );
    return outcome;
  };

  /** Puts them into a group, or out of it. */
  const moveEach = async (
    tx: Tx,
    actor: Actor,
    ids: readonly string[],
    { action, groupId = "" }: Change,
    language: Language,
  ) => {
    const { decided, outcome } = decideEach(ids, language, await lockTargets(tx, ids, false));
    const memberIds = decided.map(({ id }) => id);
    await groups.move(tx, actor, { memberIds, [action === "join" ? "joined" : "left"]: [groupId] });
    return outcome;
  };

  /** Gives them what new members start with by this template: limit, quota and speed at once, the rest for their next configs. */
  const applyTemplate = async (
    tx: Tx,
    actor: Actor,
    ids: readonly string[],
    { templateId = "" }: Change,
    language: Language,
  ) => {
    const template = (await templates.hold(tx, templateId)) ?? refuse("template.unknown", { field: "templateId" });
    const lockedTarget = await lockTargets(tx, ids, false);
    const { decided, outcome } = decideEach(ids, language, (id) =>
      decide(actor, lockedTarget(id), {
        vpnConfigLimit: template.config_limit,
        quotaBytes: template.quota_bytes,
        quotaAtEnd: template.quota_at_end,
        quotaSlowMbit: template.quota_slow_mbit,
        speedMbit: template.speed_mbit,
      }),
    );
    await write(tx, actor, decided);
    await templates.begin(tx, outcome.changed, template);
    return outcome;
  };

  const changeEach = async (tx: Tx, actor: Actor, sent: readonly string[], input: Change, language: Language) => {
    const ids = [...new Set(sent)].sort();
    if (ids.length === 0) return { changed: [], refused: [] };
    if (input.action === "message") return writeTo(tx, actor, ids, input.message ?? "", language);
    if (input.action === "join" || input.action === "leave") return moveEach(tx, actor, ids, input, language);
    if (input.action === "template") return applyTemplate(tx, actor, ids, input, language);
    const lockedTarget = await lockTargets(tx, ids, input.action === "block");
    const now = clock.now().getTime();
    const { act: actId = randomUUID() } = input;
    const act = { actId, ...(input.act === undefined ? {} : { undoing: { actId, until: now + UNDO_UNTIL_MS } }) };
    const reason = { kind: "extension" as const, ...act, ...(await sumOf(tx, input)) };
    const { decided, outcome } = decideEach(ids, language, (id) => {
      // An admin who selects a whole page does not mean to lock themselves out.
      if (input.action === "block" && id === actor.memberId) refuse("member.block_oneself");
      const member = lockedTarget(id);
      if (input.action === "limit") return decide(actor, member, { vpnConfigLimit: input.vpnConfigLimit });
      if (input.action !== "extend")
        return decide(actor, member, {
          isActive: input.action === "unblock",
          ...(input.action === "block" && input.blockConfigs !== undefined ? { blockConfigs: input.blockConfigs } : {}),
        });
      if (member.is_unlimited === 1) refuse("member.unlimited");
      const from = Math.max(now, member.subscription_end ?? 0);
      return decide(actor, member, { subscriptionEnd: clubTime.dayOf(from, input.days) }, reason);
    });
    await write(tx, actor, decided);
    return outcome;
  };

  /** What each member paid for an extension; nothing for a gift. */
  const sumOf = async (tx: Tx, { amount }: Change) =>
    amount == null ? {} : { amount: hundredthsOf(amount), currency: (await settings.read(tx)).paymentCurrency };

  /** A repeated call with the same key gets the first result: a repeated extension adds no days. */
  const once = async (tx: Tx, actor: Actor, key: string | null, input: object, change: () => Promise<Outcome>) => {
    if (key === null) return change();
    const fingerprint = requestFingerprint(input);
    const earlier = await repository.findBulkChange(tx, actor.memberId, key);
    if (earlier !== undefined) {
      if (earlier.idempotency_hash !== fingerprint) refuse("request.idempotency_mismatch");
      return JSON.parse(earlier.outcome) as Outcome;
    }
    const outcome = await change();
    await repository.insertBulkChange(tx, {
      actor_id: actor.memberId,
      idempotency_key: key,
      idempotency_hash: fingerprint,
      outcome: JSON.stringify(outcome),
      created_at: clock.now().getTime(),
    });
    return outcome;
  };

  return {
    changeMany: (
      actor: Actor,
      input: Input,
      language: Language,
      key: string | null,
    ): Promise<AnswerOf<typeof contract.members.changeMany>> =>
      transact(async (tx) => {
        const change = async () => ({ ...(await changeEach(tx, actor, input.ids, input, language)), after: null });
        const { changed, refused } = await once(tx, actor, key, input, change);
        return { changed, refused };
      }),

    /** The next slice of the members that `search` finds, by id, so that a change that affects the filters skips nobody. */
    changeMatching: (
      actor: Actor,
      sent: BodyOf<typeof contract.members.changeMatching>,
      search: MemberSearch,
      language: Language,
      key: string | null,
    ): Promise<AnswerOf<typeof contract.members.changeMatching>> =>
      transact(async (tx) => {
        const { changed, refused, after } = await once(tx, actor, key, sent, async () => {
          const ids = await foundAfter(tx, search, sent.after, SLICE);
          const next = ids.length < SLICE ? null : (ids.at(-1) ?? null);
          return { ...(await changeEach(tx, actor, ids, sent, language)), after: next };
        });
        const rows = await repository.byIds(
          tx,
          refused.map(({ id }) => id),
        );
        const names = new Map(rows.map((row) => [row.id, row]));
        return {
          changed: changed.length,
          refused: refused.map((each) => {
            const row = names.get(each.id);
            return { ...each, username: row?.username ?? "", displayName: row?.display_name ?? "" };
          }),
          after,
        };
      }),
  };
}
