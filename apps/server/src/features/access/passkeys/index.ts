import { randomUUID } from "node:crypto";
import type { AssertedInput, AttestedInput } from "@krug/contract/access/passkeys";
import { isoOf } from "@krug/domain/moment";
import { isCountCredible, MOST_PASSKEYS, passkeyHost } from "@krug/domain/passkey-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { Audit } from "../../club/audit/index.ts";
import { type Members, memberDeleted } from "../../members/members/index.ts";
import { type Auth, addressGroup, type OpenedSession, passwordReset, type SignedIn } from "../auth/index.ts";
import type { Maintenance } from "../maintenance/index.ts";
import type { TwoFactor } from "../two-factor/index.ts";
import { makeChallenges } from "./challenges.ts";
import { passkeyAdded, passkeyCopied, passkeysReset, type ResetBy } from "./events.ts";
import { countIfSigned, type Place, readNew } from "./prove.ts";
import * as repository from "./repository.ts";
import type { PasskeyPurpose, PasskeyRow } from "./table.ts";

export { passkeyAdded, passkeyCopied, passkeysReset } from "./events.ts";
export { SIGNED_BY } from "./prove.ts";
export { endEveryChallenge } from "./repository.ts";
export type { PasskeyRow } from "./table.ts";

export type Passkeys = ReturnType<typeof makePasskeys>;

interface Parts extends Platform {
  audit: Audit;
  members: Members;
  maintenance: Maintenance;
  auth: Auth;
  twoFactor: Pick<TwoFactor, "isEnabled">;
}

/** A passkey that signed, with its count; null if none did. */
type Proof = { row: PasskeyRow; count: number } | null;

/** Passkeys next to passwords and codes (decisions, section 3; ADR 168). */
export function makePasskeys(parts: Parts) {
  const { db, transact, clock, events, publicUrl, audit, members, maintenance, auth, twoFactor } = parts;
  const challenges = makeChallenges(parts);
  const now = () => clock.now().getTime();

  /** Where passkeys work for a page at `origin`. Without PUBLIC_URL only on the own machine: a request may claim any host. */
  const placeAt = (origin: string): Place | null => {
    const host = publicUrl === null && !origin.startsWith("http:") ? null : passkeyHost(origin);
    return host === null ? null : { origin, host };
  };
  const needPlace = (origin: string): Place => placeAt(origin) ?? refuse("passkey.no_address");
  const at = (rows: readonly PasskeyRow[], place: Place | null) => rows.filter(({ host }) => host === place?.host);

  const removeAll = async (tx: Tx, memberId: string, actorId: string | null, by: ResetBy) => {
    const gone = await repository.remove(tx, memberId);
    if (gone.length === 0) return false;
    await audit.record(tx, actorId, "passkey.reset", { target: memberId });
    await events.record(tx, passkeysReset, { memberId, by });
    return true;
  };
  events.on(memberDeleted, async (tx, { memberId }) => void (await repository.remove(tx, memberId)));
  events.on(passwordReset, async (tx, { memberId }) => void (await removeAll(tx, memberId, null, "password")));

  /** The passkey that signed what was asked; the challenge is used up either way. */
  const prove = async (
    asserted: AssertedInput,
    asked: { purpose: PasskeyPurpose; by: string | null },
    place: Place,
  ): Promise<Proof> => {
    const challenge = await challenges.take(asserted.clientDataJSON, asked);
    const row = await repository.findByCredential(db, asserted.id);
    if (challenge === null || row === undefined || row.host !== place.host) return null;
    if (asserted.userHandle !== null && asserted.userHandle !== handleOf(row.member_id)) return null;
    const count = await countIfSigned(asserted, row, challenge, place);
    return count === null ? null : { row, count };
  };

  /** Notes the use of a passkey, and whether its count is credible. Null: it was removed meanwhile. */
  const noteUse = async (tx: Tx, { row: { id }, count }: NonNullable<Proof>): Promise<"used" | "copied" | null> => {
    const row = await repository.lock(tx, id);
    if (row === undefined) return null;
    const { member_id: memberId, name } = row;
    if (isCountCredible(row.counter, count)) {
      await repository.update(tx, memberId, id, { counter: count, last_used_at: now() });
      return "used";
    }
    await audit.record(tx, memberId, "passkey.copied", { target: memberId, after: { name } });
    await events.record(tx, passkeyCopied, { memberId, name });
    return "copied";
  };

  /** Does `work` for a passkey that was used as its owner would. Refuses after the commit: what was noted stays. */
  const withUse = async <Done>(proof: NonNullable<Proof>, work: (tx: Tx) => Promise<Done>): Promise<Done> => {
    const { use, done } = await transact(async (tx) => {
      // The member first, as in every change of theirs.
      await members.lock(tx, proof.row.member_id);
      const use = await noteUse(tx, proof);
      return use === "used" ? { use, done: await work(tx) } : { use };
    });
    if (use !== "used") refuse(use === "copied" ? "passkey.copied" : "passkey.not_accepted");
    return done as Done;
  };

  const refuseMore = (rows: readonly PasskeyRow[]) => {
    if (rows.length >= MOST_PASSKEYS) refuse("passkey.too_many", { max: MOST_PASSKEYS });
  };

  return {
    ofMember: (memberId: string): Promise<PasskeyRow[]> => repository.ofMember(db, memberId),
    countOf: async (memberId: string): Promise<number> => (await repository.ofMember(db, memberId)).length,
    hostAt: (origin: string): string | null => placeAt(origin)?.host ?? null,
    /** Whether one of the member's passkeys works on pages of this origin. */
    worksAt: async (memberId: string, origin: string): Promise<boolean> =>
      at(await repository.ofMember(db, memberId), placeAt(origin)).length > 0,

    async askToSignIn(origin: string, address: ClientAddress) {
      const place = needPlace(origin);
      const challenge = await transact(async (tx) => {
        await auth.lockPasskeys(tx, address);
        return challenges.ask(tx, { purpose: "sign_in", by: addressGroup(address) });
      });
      return { challenge, host: place.host, passkeys: [] };
    },

    /** Nothing tells an unknown passkey from a wrong signature. Only its owner learns that an account is blocked. */
    async signIn(
      asserted: AssertedInput,
      { origin, address, userAgent }: { origin: string; address: ClientAddress; userAgent: string | null },
    ): Promise<SignedIn> {
      const place = needPlace(origin);
      await transact((tx) => auth.lockPasskeys(tx, address));
      const proof = await prove(asserted, { purpose: "sign_in", by: null }, place);
      if (proof === null) {
        await transact(async (tx) => (await auth.lockPasskeys(tx, address))());
        refuse("passkey.not_accepted");
      }
      const underMaintenance = await maintenance.isOn(db);
      return withUse(proof, async (tx) => {
        const member = (await members.lock(tx, proof.row.member_id)) ?? refuse("passkey.not_accepted");
        return auth.signInProven(tx, member, { underMaintenance, userAgent, by: "passkey" });
      });
    },

    async askToEnter({ memberId, sessionId }: Actor, origin: string) {
      const place = needPlace(origin);
      if (!(await twoFactor.isEnabled(memberId))) refuse("two_factor.not_enabled");
      const passkeys = at(await repository.ofMember(db, memberId), place);
      if (passkeys.length === 0) refuse("passkey.none");
      const challenge = await transact((tx) => challenges.ask(tx, { purpose: "enter", by: sessionId }));
      return { challenge, host: place.host, passkeys };
    },

    /** The session continues under a new token, elevated for staff. Codes stay what they are: their lock is not touched. */
    async enter(actor: Actor, asserted: AssertedInput, origin: string): Promise<OpenedSession> {
      const place = needPlace(origin);
      if (!(await twoFactor.isEnabled(actor.memberId))) refuse("two_factor.not_enabled");
      const proof = await prove(asserted, { purpose: "enter", by: actor.sessionId }, place);
      if (proof?.row.member_id !== actor.memberId) refuse("passkey.not_accepted");
      return withUse(proof, (tx) => auth.renewToken(tx, actor, true));
    },

    async askToAdd({ memberId, sessionId }: Actor, origin: string) {
      const place = needPlace(origin);
      const rows = await repository.ofMember(db, memberId);
      refuseMore(rows);
      const challenge = await transact((tx) => challenges.ask(tx, { purpose: "add", by: sessionId }));
      return { challenge, host: place.host, passkeys: at(rows, place) };
    },

    async add(actor: Actor, { name, ...attested }: AttestedInput & { name: string }, origin: string) {
      const { memberId, sessionId } = actor;
      const place = needPlace(origin);
      const challenge = await challenges.take(attested.clientDataJSON, { purpose: "add", by: sessionId });
      const read = challenge === null ? null : await readNew(attested, challenge, place);
      if (read === null) refuse("passkey.not_accepted");
      return transact(async (tx) => {
        // The lock keeps two tabs from both taking the last slot, and a block or a reset from going unnoticed.
        const member = await members.lock(tx, memberId);
        await auth.refuseEnded(tx, actor);
        if (member?.is_active !== 1) refuse("auth.required");
        refuseMore(await repository.ofMember(tx, memberId));
        const row: PasskeyRow = {
          ...read,
          id: randomUUID(),
          member_id: memberId,
          transports: JSON.stringify(attested.transports),
          host: place.host,
          name,
          created_at: now(),
          last_used_at: null,
        };
        if (!(await repository.insert(tx, row))) refuse("passkey.already_added");
        await audit.record(tx, memberId, "passkey.added", { target: memberId, after: { name } });
        await events.record(tx, passkeyAdded, { memberId, name });
        return row;
      });
    },

    rename: ({ memberId }: Actor, id: string, name: string): Promise<PasskeyRow> =>
      transact(async (tx) => {
        const before = await repository.lock(tx, id);
        const row = (await repository.update(tx, memberId, id, { name })) ?? refuse("passkey.not_found");
        if (before !== undefined && before.name !== name)
          await audit.record(tx, memberId, "passkey.renamed", {
            target: memberId,
            before: { name: before.name },
            after: { name },
          });
        return row;
      }),

    remove: ({ memberId }: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const { name } = (await repository.remove(tx, memberId, id))[0] ?? refuse("passkey.not_found");
        await audit.record(tx, memberId, "passkey.removed", { target: memberId, before: { name } });
      }),

    /** All of a member's, who may have lost them; whoever signed in with one is signed out. `actor` null: the command line. */
    /** All of somebody else's, by staff; false if there are none. Their sessions stay. */
    resetIfAny: (tx: Tx, memberId: string, actorId: string): Promise<boolean> =>
      removeAll(tx, memberId, actorId, "staff"),

    async reset(tx: Tx, memberId: string, actor: Pick<Actor, "memberId" | "sessionId"> | null): Promise<void> {
      if (!(await removeAll(tx, memberId, actor?.memberId ?? null, "staff"))) refuse("passkey.none");
      await auth.endSessions(tx, memberId, { except: actor?.sessionId });
    },

    /** One of them may be on a device that its owner has lost. `actorId` null: the owner says so. */
    endLost: async (tx: Tx, memberId: string, actorId: string | null): Promise<void> =>
      void (await removeAll(tx, memberId, actorId, "lost_device")),

    forgetOld: challenges.forgetOld,

    dataExport: {
      passkeys: async (memberId: string) =>
        (await repository.ofMember(db, memberId)).map(({ name, host, created_at, last_used_at }) => ({
          name,
          host,
          addedAt: isoOf(created_at),
          lastUsedAt: isoOf(last_used_at),
        })),
    },
  };
}

/** How authenticators know a member: base64url of the id. */
export const handleOf = (memberId: string) => Buffer.from(memberId, "utf8").toString("base64url");
