import { isoOf } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { hashOfToken } from "../../../platform/secret-token.ts";
import { type MemberRow, type Members, promisedRole } from "../../members/members/index.ts";
import { insertLinks, LINK_LIFE_MS } from "./one-time-links.ts";
import { checkNewPassword, type FreshPassword, type ReplacePassword } from "./passwords.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  members: Members;
  freshPassword(password: string): Promise<FreshPassword>;
  replacePassword: ReplacePassword;
}

type LinkOwner = Pick<MemberRow, "id" | "username" | "role" | "pending_role">;
interface PasswordLink {
  link: string;
  expiresAt: string;
}

/** One-time links with which members set a password: their first one, or one instead of a forgotten one. */
export function makePasswordLinks({ db, transact, clock, members, freshPassword, replacePassword }: Parts) {
  const makePasswordLinks = async (
    tx: Tx,
    owners: readonly LinkOwner[],
    origin: string,
    lifeMs = LINK_LIFE_MS,
  ): Promise<PasswordLink[]> => {
    const now = clock.now();
    const bound = owners.map((member) => ({
      purpose: "password" as const,
      member_id: member.id,
      member_role: promisedRole(member),
      config_id: null,
    }));
    const expiresAt = isoOf(now.getTime() + lifeMs);
    const tokens = await insertLinks(tx, now, bound, lifeMs);
    return tokens.map((token, at) => {
      // The name is included for the browser that saves the new password; the fragment is never sent.
      const inside = new URLSearchParams({ user: owners[at]?.username ?? "", token });
      return { link: `${origin}/password#${inside}`, expiresAt };
    });
  };

  return {
    /**
     * A link under `origin`, valid once and for 24 h; `expiresAt` is an ISO time. The database stores only its hash. The caller has
     * locked the member's row, or wrote it in this transaction: the link depends on their role.
     */
    async makePasswordLink(tx: Tx, member: LinkOwner, origin: string): Promise<PasswordLink> {
      const [link] = await makePasswordLinks(tx, [member], origin);
      return link as PasswordLink;
    },

    /** The same for many, in the same order. */
    makePasswordLinks,

    /** Voids earlier links for the member. */
    voidPasswordLinks: (tx: Tx, memberId: string): Promise<void> => repository.deletePasswordLinksOf(tx, memberId),

    /** Uses a link up. All sessions of the account end: they may be why the password was changed. */
    async setPassword(token: string, password: string): Promise<MemberRow> {
      const now = clock.now().getTime();
      const tokenHash = hashOfToken(token);
      const link = await repository.findLink(db, "password", tokenHash, now);
      const owner = link?.member_id ? await members.find(db, link.member_id) : undefined;
      if (owner === undefined) refuse("auth.link_invalid", { field: "token" });
      await checkNewPassword(password, promisedRole(owner));
      const fresh = await freshPassword(password);
      return transact(async (tx) => {
        // The member first, as in a change of role: whichever comes second sees the other's result.
        const member = await members.lock(tx, owner.id);
        const taken = await repository.takeLink(tx, "password", tokenHash, now);
        if (member === undefined || taken === undefined || taken.member_role !== promisedRole(member))
          refuse("auth.link_invalid", { field: "token" });
        return replacePassword(tx, member, fresh);
      });
    },
  };
}
