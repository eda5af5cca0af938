import { createHash } from "node:crypto";
import type { contract } from "@krug/contract/api";
import type { AnswerOf, BodyOf } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { refusalText } from "@krug/contract/refusals";
import { DAY_MS } from "@krug/domain/moment";
import type { Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { Refusal, refuse } from "../../platform/refusal.ts";
import { makeChangeMember } from "./change-member.ts";
import { staffWrote } from "./events.ts";
import { foundAfter, type MemberSearch } from "./list.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";

type Wish = BodyOf<typeof contract.members.changeMany>;
type Change = Omit<Wish, "ids">;

/** What became of one call. */
interface Outcome {
  changed: string[];
  refused: { id: string; code: string; message: string }[];
  /** Where the next slice begins; null after the last. */
  after: string | null;
}

/** So many of those that match are changed in one transaction: others wait no longer than for that. */
const SLICE = 100;

/** Does one thing to many members, all in one transaction; who may not have it done is left out, with the reason. */
export function makeChangeMany(parts: MemberUseParts) {
  const { transact, clock, clubTime, events, audit } = parts;
  const changeMember = makeChangeMember(parts);

  const write = async (tx: Tx, actor: Actor, id: string, message: string): Promise<void> => {
    const member = (await repository.find(tx, id)) ?? refuse("member.not_found");
    await events.record(tx, staffWrote, { memberId: member.id, text: message });
    await audit.record(tx, {
      actorId: actor.memberId,
      action: "inbox.message_sent",
      target: member.id,
      after: { message },
    });
  };

  const changeOne = async (tx: Tx, actor: Actor, id: string, wish: Change) => {
    // Whoever takes all of a page does not mean to lock himself out.
    if (wish.action === "block" && id === actor.memberId) refuse("member.block_oneself");
    if (wish.action === "message") return write(tx, actor, id, wish.message ?? "");
    if (wish.action !== "extend")
      return changeMember(tx, actor, id, {
        isActive: wish.action === "unblock",
        ...(wish.action === "block" && wish.blockConfigs !== undefined ? { blockConfigs: wish.blockConfigs } : {}),
      });
    const member = (await repository.lock(tx, id)) ?? refuse("member.not_found");
    if (member.is_unlimited === 1) refuse("member.unlimited");
    const from = Math.max(clock.now().getTime(), member.subscription_end ?? 0);
    return changeMember(tx, actor, id, { subscriptionEnd: clubTime.dayOf(from + wish.days * DAY_MS) });
  };

  const changeEach = async (tx: Tx, actor: Actor, ids: readonly string[], wish: Change, language: Language) => {
    const changed: string[] = [];
    const refused: Outcome["refused"] = [];
    // In one order, so that two who change the same members wait for each other and not around in a circle.
    for (const id of [...new Set(ids)].sort()) {
      try {
        await changeOne(tx, actor, id, wish);
        changed.push(id);
      } catch (error) {
        // Every refusal of a change comes before its first write, so that nothing of this member is half done.
        if (!(error instanceof Refusal)) throw error;
        refused.push({ id, code: error.code, message: refusalText(error.code, language, error.details) });
      }
    }
    return { changed, refused };
  };

  /** Sent again with its key, a call gets what became of it the first time: an extension that is repeated adds no days. */
  const once = async (tx: Tx, actor: Actor, key: string | null, wish: object, change: () => Promise<Outcome>) => {
    if (key === null) return change();
    const fingerprint = createHash("sha256").update(JSON.stringify(wish)).digest("base64url");
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
      wish: Wish,
      language: Language,
      key: string | null,
    ): Promise<AnswerOf<typeof contract.members.changeMany>> =>
      transact(async (tx) => {
        const change = async () => ({ ...(await changeEach(tx, actor, wish.ids, wish, language)), after: null });
        const { changed, refused } = await once(tx, actor, key, wish, change);
        return { changed, refused };
      }),

    /** The next slice of those that `search` finds, by id: what a change does to the filters moves nobody. */
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
