import type { contract } from "@krug/contract/api";
import type { AnswerOf, BodyOf } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { refusalText } from "@krug/contract/refusals";
import { DAY_MS } from "@krug/domain/moment";
import type { Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { Refusal, refuse } from "../../platform/refusal.ts";
import { makeChangeMember } from "./change-member.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";

type Wish = BodyOf<typeof contract.members.changeMany>;

/** Does one thing to many members, all in one transaction; who may not have it done is left out, with the reason. */
export function makeChangeMany(parts: MemberUseParts) {
  const { transact, clock, clubTime } = parts;
  const changeMember = makeChangeMember(parts);

  const changeOne = async (tx: Tx, actor: Actor, id: string, wish: Wish) => {
    // Whoever takes all of a page does not mean to lock himself out.
    if (wish.action === "block" && id === actor.memberId) refuse("member.block_oneself");
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

  return (actor: Actor, wish: Wish, language: Language): Promise<AnswerOf<typeof contract.members.changeMany>> =>
    transact(async (tx) => {
      const changed: string[] = [];
      const refused: { id: string; code: string; message: string }[] = [];
      // In one order, so that two who change the same members wait for each other and not around in a circle.
      for (const id of [...new Set(wish.ids)].sort()) {
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
    });
}
