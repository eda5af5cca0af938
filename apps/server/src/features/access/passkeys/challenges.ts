import { randomBytes } from "node:crypto";
import { PASSKEY_ASKED_MS } from "@krug/domain/passkey-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import * as repository from "./repository.ts";
import type { PasskeyPurpose } from "./table.ts";

/** Far more than a household signs in with at once; the oldest make room. */
const MOST_ASKED = 50;

/** Who was asked: a session, or the addresses that count as one. */
export interface Asked {
  purpose: PasskeyPurpose;
  by: string;
}

/**
 * What authenticators are asked to sign: 256 random bits, kept as a hash where every panel of the club finds it. It counts once,
 * for five minutes, for one purpose, and for the session that asked. A guest may change networks before answering.
 */
export function makeChallenges({ transact, clock, sealing }: Platform) {
  const hashOf = (challenge: string) => sealing.hash("passkey-challenge", challenge);
  const askedBy = ({ by }: Asked) => sealing.hash("passkey-asked", by);
  return {
    async ask(tx: Tx, asked: Asked): Promise<string> {
      const challenge = randomBytes(32).toString("base64url");
      const row = {
        challenge_hash: hashOf(challenge),
        purpose: asked.purpose,
        asked_by: askedBy(asked),
        expires_at: clock.now().getTime() + PASSKEY_ASKED_MS,
      };
      await repository.insertChallenge(tx, row, MOST_ASKED);
      return challenge;
    },

    /** Uses up what `clientData` answers, whatever follows. Null: it was not asked so, or was already answered. */
    async take(clientData: string, { purpose, by }: { purpose: PasskeyPurpose; by: string | null }) {
      const challenge = challengeIn(clientData);
      if (challenge === null) return null;
      const row = await transact((tx) => repository.takeChallenge(tx, hashOf(challenge)));
      const isTheirs = by === null || row?.asked_by === askedBy({ purpose, by });
      return row?.purpose === purpose && isTheirs && clock.now().getTime() < row.expires_at ? challenge : null;
    },

    forgetOld: (): Promise<void> => transact((tx) => repository.removeExpired(tx, clock.now().getTime())),
  };
}

/** From the browser's own record of what it passed to the authenticator, base64url of JSON. */
function challengeIn(clientData: string): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, "base64url").toString("utf8")) as { challenge?: unknown };
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}
