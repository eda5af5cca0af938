import type { Language } from "@krug/contract/refusals";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { wrongCodesOf } from "../../access/invites/index.ts";
import { isTelegramConnected, type MemberRow } from "../../members/members/index.ts";
import type { LinkCodes } from "./link-codes.ts";
import type { TelegramParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** Someone who writes to the bot. */
export interface Person {
  telegramId: string;
  name: string;
  language: Language;
}

/** As a person is named: @username, or the first name. */
export const nameOf = ({ username, first_name }: { username?: string | undefined; first_name?: string | undefined }) =>
  username === undefined ? (first_name ?? "") : `@${username}`;

export type LinkOutcome =
  | { what: "linked" | "linked_already"; username: string }
  | { what: "wrong_code" | "blocked" | "member_has_another" }
  | { what: "banned"; seconds: number };

/** The longest name; Telegram sets no limit. */
const NAME_MAX = 64;

export type Linking = ReturnType<typeof makeLinking>;

/** Links one Telegram account to one member (decisions, section 8), from either side. */
export function makeLinking(parts: TelegramParts, codes: LinkCodes) {
  const { transact, clock, sealing, members, auth } = parts;
  const hashOf = ({ telegramId }: Person) => sealing.hash("telegram-account", telegramId);

  /** Locked, so that they neither unlink it nor link another account until the transaction ends. */
  const lockByAccount = async (tx: Tx, telegramId: string): Promise<MemberRow | undefined> => {
    const found = await members.findByTelegramId(tx, telegramId);
    const member = found && (await members.lock(tx, found.id));
    return member?.telegram_id === telegramId ? member : undefined;
  };

  /** The member of this account, undefined for a stranger. A message to the bot means that it is no longer blocked. */
  const memberOf = async (tx: Tx, { telegramId, language }: Person): Promise<MemberRow | undefined> => {
    const member = await lockByAccount(tx, telegramId);
    if (member === undefined) return undefined;
    if (member.telegram_language !== language) await members.noteMessengerLanguage(tx, member.id, language);
    if (member.telegram_blocked_at === null) return member;
    await members.noteMessengerBlocked(tx, member.id, null);
    return { ...member, telegram_blocked_at: null };
  };

  const linkTo = (tx: Tx, memberId: string, { telegramId, name, language }: Person) =>
    members.linkMessenger(tx, memberId, { telegramId, name: name.slice(0, NAME_MAX), language });

  const tryCode = async (tx: Tx, person: Person, typed: string): Promise<LinkOutcome> => {
    const now = clock.now().getTime();
    const account_hash = hashOf(person);
    const { count, bannedUntil } = wrongCodesOf(await repository.attempts(tx, account_hash), now);
    if (bannedUntil !== null) return { what: "banned", seconds: Math.ceil((bannedUntil - now) / 1_000) };
    const memberId = await codes.ownerOf(tx, typed);
    const member = memberId === undefined ? undefined : await members.lock(tx, memberId);
    if (member === undefined) {
      await repository.writeAttempts(tx, { account_hash, wrong_codes: count + 1, last_wrong_at: now });
      return { what: "wrong_code" };
    }
    if (member.is_active !== 1) return { what: "blocked" };
    await codes.forget(tx, member.id);
    if (isTelegramConnected(member)) return { what: "member_has_another" };
    await linkTo(tx, member.id, person);
    await repository.clearAttempts(tx, account_hash);
    return { what: "linked", username: member.username };
  };

  /** Whoever holds that account may not go on with a password link that the bot sent there, nor in the Mini App. */
  const unlink = async (tx: Tx, memberId: string): Promise<void> => {
    await members.unlinkMessenger(tx, memberId);
    await auth.voidPasswordLinks(tx, memberId);
    await auth.endSessions(tx, memberId, { byTelegram: true });
    await codes.forget(tx, memberId);
  };

  return {
    memberOf,
    lockByAccount,
    find: (person: Person): Promise<MemberRow | undefined> => transact((tx) => memberOf(tx, person)),

    /** A code came from this account. A linked account learns nothing about other people's codes. */
    link: (person: Person, typed: string): Promise<LinkOutcome> =>
      transact(async (tx) => {
        // Simultaneous codes from one account are checked one after another, so the ban holds for them too.
        await lockPlace(tx, `telegram:${person.telegramId}`);
        const member = await memberOf(tx, person);
        return member === undefined
          ? tryCode(tx, person, typed)
          : { what: "linked_already", username: member.username };
      }),

    /** From the Mini App, by a member who is signed in there. */
    linkMember: (memberId: string, person: Person): Promise<void> =>
      transact(async (tx) => {
        await lockPlace(tx, `telegram:${person.telegramId}`);
        const owner = await lockByAccount(tx, person.telegramId);
        if (owner !== undefined && owner.id !== memberId) refuse("telegram.account_taken");
        const member = owner ?? (await members.lock(tx, memberId));
        if (member?.is_active !== 1) refuse("auth.required");
        if (isTelegramConnected(member)) return owner === undefined ? refuse("telegram.already_linked") : undefined;
        await codes.forget(tx, memberId);
        await linkTo(tx, memberId, person);
      }),

    /** From the bot. Undefined if this account was not linked. */
    unlinkAccount: (person: Person): Promise<MemberRow | undefined> =>
      transact(async (tx) => {
        const member = await memberOf(tx, person);
        if (member === undefined) return undefined;
        await unlink(tx, member.id);
        return member;
      }),

    /** From the panel, with the code it showed. */
    unlinkMember: (memberId: string, typed: string): Promise<void> =>
      transact(async (tx) => {
        const member = (await members.lock(tx, memberId)) ?? refuse("member.not_found");
        if (!isTelegramConnected(member)) refuse("telegram.not_connected");
        const verdict = await codes.judgeUnlink(tx, memberId, typed);
        if (verdict === "expired") refuse("telegram.code_expired", { field: "confirmationCode" });
        if (verdict === "wrong") refuse("telegram.wrong_code", { field: "confirmationCode" });
        await unlink(tx, memberId);
      }),

    /** This account has blocked the bot: its member counts as not connected until they unblock it. */
    noteBlocked: (telegramId: string): Promise<void> =>
      transact(async (tx) => {
        const member = await lockByAccount(tx, telegramId);
        if (member === undefined || member.telegram_blocked_at !== null) return;
        await members.noteMessengerBlocked(tx, member.id, clock.now().getTime());
      }),
  };
}
