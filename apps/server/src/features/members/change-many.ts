import type { contract } from "@krug/contract/api";
import type { AnswerOf, BodyOf } from "@krug/contract/endpoint";
import type { Language } from "@krug/contract/refusals";
import { refusalText } from "@krug/contract/refusals";
import { DAY_MS } from "@krug/domain/moment";
import type { Tx } from "../../platform/database/database.ts";
import type { Actor } from "../../platform/http/call.ts";
import { Refusal, refuse } from "../../platform/refusal.ts";
import { makeChangeMember } from "./change-member.ts";
import { foundAfter, type MemberSearch } from "./list.ts";
import type { MemberUseParts } from "./parts.ts";
import * as repository from "./repository.ts";

type Wish = BodyOf<typeof contract.members.changeMany>;
type Change = Omit<Wish, "ids">;

/** So many of those that match are changed in one transaction: others wait no longer than for that. */
const SLICE = 100;

/** Does one thing to many members, all in one transaction; who may not have it done is left out, with the reason. */
export function makeChangeMany(parts: MemberUseParts) {
  const { transact, clock, clubTime } = parts;
  const changeMember = makeChangeMember(parts);

  const changeOne = async (tx: Tx, actor: Actor, id: string, wish: Change) => {
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

  const changeEach = async (tx: Tx, actor: Actor, ids: readonly string[], wish: Change, language: Language) => {
    const changed: string[] = [];
    const refused: { id: string; code: string; message: string }[] = [];
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

  return {
    changeMany: (actor: Actor, wish: Wish, language: Language): Promise<AnswerOf<typeof contract.members.changeMany>> =>
      transact((tx) => changeEach(tx, actor, wish.ids, wish, language)),

    /** The next slice of those that `search` finds, by id: what a change does to the filters moves nobody. */
    changeMatching: (
      actor: Actor,
      { search, after, ...wish }: Change & { search: MemberSearch; after: string | null },
      language: Language,
    ): Promise<AnswerOf<typeof contract.members.changeMatching>> =>
      transact(async (tx) => {
        const ids = await foundAfter(tx, search, after, SLICE);
        const { changed, refused } = await changeEach(tx, actor, ids, wish, language);
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
          after: ids.length < SLICE ? null : (ids.at(-1) ?? null),
        };
      }),
  };
}
