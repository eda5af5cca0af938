import type { Readable } from "node:stream";
import type { Contract } from "@krug/contract/api";
import type { Clock } from "../../../platform/clock.ts";
import type { Tx } from "../../../platform/database/database.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Audit } from "../audit/index.ts";
import { unlessStalled } from "./unless-stalled.ts";

interface Parts {
  clock: Clock;
  /** Of a feature above this one. */
  twoFactor: { withCode(memberId: string, token: string, work: (tx: Tx) => Promise<void>): Promise<void> };
  audit: Pick<Audit, "record">;
  /** The whole club, encrypted while it is read. */
  takeBackup(passphrase: string): Promise<Readable>;
}

type OwnCalls = Pick<Contract["system"], "takeBackup">;

/** All the club's secrets leave the panel: this takes an admin's code too, and is recorded first. */
export const makeBackupRoutes = ({ clock, twoFactor, audit, takeBackup }: Parts): Handlers<OwnCalls> => ({
  async takeBackup({ actor, body }) {
    await twoFactor.withCode(actor.memberId, body.token, (tx) =>
      audit.record(tx, actor.memberId, "system.backup_taken", {}),
    );
    const day = clock.now().toISOString().slice(0, 10);
    return { fileName: `krug-${day}.age`, content: unlessStalled(await takeBackup(body.passphrase)) };
  },
});
