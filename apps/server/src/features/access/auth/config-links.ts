import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { hashOfToken } from "../../../platform/secret-token.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import { makeAddressCounter } from "./address-counter.ts";
import { insertLink } from "./one-time-links.ts";
import * as repository from "./repository.ts";

interface Parts extends Platform {
  members: Members;
}

/** One-time links that hand over a config: whoever presses the button behind one gets the file, with its key. */
export function makeConfigLinks(parts: Parts) {
  const { transact, clock, members } = parts;
  const lockCounter = makeAddressCounter(parts, "link-address");

  return {
    /**
     * A link under `origin`, valid 24 h, once; it voids the config's earlier one. The token is in the fragment, which browsers do
     * not send, so no log stores it and a messenger's preview does not use it up.
     */
    async makeConfigLink(
      tx: Tx,
      config: { id: string; memberId: string },
      origin: string,
    ): Promise<{ link: string; expiresAt: string }> {
      await repository.deleteLinksOfConfigs(tx, [config.id]);
      const bound = { purpose: "config", member_id: config.memberId, member_role: null, config_id: config.id } as const;
      const { token, expiresAt } = await insertLink(tx, clock.now(), bound);
      return { link: `${origin}/config#token=${token}`, expiresAt };
    },

    /** Voids links to these configs; returns how many there were. */
    voidConfigLinks: (tx: Tx, configIds: readonly string[]): Promise<number> =>
      repository.deleteLinksOfConfigs(tx, configIds),

    /** When the unused links to these configs expire, ms. */
    configLinkEnds: (db: Db, configIds: readonly string[]): Promise<Map<string, number>> =>
      repository.linkEndsOf(db, configIds, clock.now().getTime()),

    /**
     * Uses a link up, and answers what `give` answers for its config. Null means that the config cannot be handed over, and looks
     * like a wrong link from outside. Wrong links are counted by address like wrong passwords.
     */
    async openConfigLink<Given>(
      token: string,
      address: ClientAddress,
      give: (tx: Tx, owner: MemberRow, configId: string) => Promise<Given | null>,
    ): Promise<Given> {
      const given = await transact(async (tx) => {
        const now = clock.now().getTime();
        const countWrong = await lockCounter(tx, address);
        const tokenHash = hashOfToken(token);
        const link = await repository.findLink(tx, "config", tokenHash, now);
        // The member first, as in every change of configs.
        const owner = link?.member_id ? await members.lock(tx, link.member_id) : undefined;
        const taken = owner && (await repository.takeLink(tx, "config", tokenHash, now));
        const answer = owner && taken?.config_id ? await give(tx, owner, taken.config_id) : null;
        if (answer === null) await countWrong();
        return answer;
      });
      return given ?? refuse("auth.link_invalid", { field: "token" });
    },
  };
}
