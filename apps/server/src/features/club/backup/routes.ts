import type { Readable } from "node:stream";
import type { Contract } from "@krug/contract/api";
import type { Clock } from "../../../platform/clock.ts";
import type { Transact } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import { refuseVerdict, type TwoFactor } from "../../access/two-factor/index.ts";
import type { Audit } from "../audit/index.ts";
import { unlessStalled } from "./unless-stalled.ts";

interface Parts {
  transact: Transact;
  clock: Clock;
  twoFactor: Pick<TwoFactor, "confirmCode">;
  audit: Pick<Audit, "record">;
  /** The whole club, encrypted, as it is read. */
  takeBackup(passphrase: string): Promise<Readable>;
}

type OwnCalls = Pick<Contract["system"], "takeBackup">;

/** All of the club's secrets leave the panel: an admin's word is not enough without a code, and it is recorded first. */
export const makeBackupRoutes = ({ transact, clock, twoFactor, audit, takeBackup }: Parts): Handlers<OwnCalls> => ({
  async takeBackup({ actor, body }) {
    const verdict = await transact(async (tx) => {
      const verdict = await twoFactor.confirmCode(tx, actor.memberId, body.token);
      if (verdict.outcome === "right")
        await audit.record(tx, { actorId: actor.memberId, action: "system.backup_taken" });
      return verdict;
    });
    refuseVerdict(verdict);
    const day = clock.now().toISOString().slice(0, 10);
    return { fileName: `krug-${day}.age`, content: unlessStalled(await takeBackup(body.passphrase)) };
  },
});
