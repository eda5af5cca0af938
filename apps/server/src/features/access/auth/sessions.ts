import { randomUUID } from "node:crypto";
import { isAheadOfTime, isoOf, MINUTE_MS } from "@krug/domain/moment";
import { isStaff } from "@krug/domain/roles";
import {
  isPasswordFresh,
  isSessionAlive,
  REPLACED_TOKEN_MS,
  sessionEndsAt,
  sessionLifeFor,
} from "@krug/domain/session-rules";
import { type Elevation, isElevated } from "@krug/domain/two-factor-rules";
import type { Tx } from "../../../platform/database/database.ts";
import { unlessFull } from "../../../platform/database/trouble.ts";
import { groupBy } from "../../../platform/group-by.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import { hashOfToken, newToken } from "../../../platform/secret-token.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import { deviceName } from "./device-name.ts";
import { elevationsEnded, sessionsEnded } from "./events.ts";
import * as repository from "./repository.ts";
import type { SessionRow } from "./table.ts";

/** The shortest interval between two records of a use, so that reading the dashboard does not write to the disk each time. */
const SEEN_EVERY_MS = 5 * MINUTE_MS;
const ELEVATION_SEEN_EVERY_MS = MINUTE_MS;
/** Far more devices than anyone has: repeated sign-ins must not fill the database. */
const MOST_SESSIONS = 100;

export interface OpenedSession {
  /** 256 random bits, base64url; answered once, stored nowhere. */
  token: string;
  /** How long the cookie may live: the longest life of a session. The server decides whether it still counts. */
  maxAgeMs: number;
}

/** How its member proved who they are. */
export type ProvenBy = "password" | "passkey" | "telegram";

type HowSessionsEnd = repository.WhichSessions & { why?: "blocked" | "own_wish" | undefined };

/** Sessions: opaque tokens, sliding life, and staff's elevation (decisions, sections 2 and 3). */
export function makeSessions(parts: Platform & { members: Members }) {
  const { db, transact, clock, events, members } = parts;

  const tellEnded = async (tx: Tx, memberId: string, sessionIds: readonly string[]) => {
    if (sessionIds.length > 0) await events.record(tx, sessionsEnded, { memberId, sessionIds });
  };

  /** Records a person's use of a session, if due. */
  const noteUse = async (session: repository.UsedSession, member: MemberRow, elevated: boolean, now: number) => {
    const change: Partial<SessionRow> = {};
    if (isUseDue(session, now)) {
      change.last_seen_at = now;
      change.expires_at = sessionEndsAt({ createdAt: session.created_at, lastUsedAt: now }, member.role);
    }
    if (elevated && isActDue(session, now)) change.elevation_seen_at = now;
    if (Object.keys(change).length === 0) return;
    await unlessFull(
      transact((tx) => repository.updateSession(tx, session.id, change)),
      undefined,
    );
  };

  const sessionOfToken = repository.makeSessionOfToken(members);
  const rowOf = new WeakMap<Actor, MemberRow>();
  /** A caller who has proved to be this member. */
  const actAs = (member: MemberRow, way: Omit<Actor, "memberId" | "username" | "role">): Actor => {
    const actor: Actor = { memberId: member.id, username: member.username, role: member.role, ...way };
    rowOf.set(actor, member);
    return actor;
  };

  /** A member's live sessions, the newest first. */
  const aliveSessions = async (memberId: string): Promise<SessionRow[]> => {
    const now = clock.now().getTime();
    const member = await members.find(db, memberId);
    if (member === undefined) return [];
    return (await repository.sessionsOf(db, memberId)).filter((session) => isAlive(session, member, now));
  };

  const endSessionsOf = async (
    tx: Tx,
    memberIds: readonly string[],
    { why, ...which }: HowSessionsEnd = {},
  ): Promise<number> => {
    const gone = await repository.deleteSessions(tx, memberIds, which);
    const idsOf = groupBy(gone, (row) => row.member_id);
    const all = which.only === undefined && which.byTelegram !== true ? { except: which.except ?? null } : undefined;
    const ended = memberIds.map((memberId) => {
      const sessionIds = (idsOf.get(memberId) ?? []).map(({ id }) => id);
      return { memberId, sessionIds, all, why };
    });
    await events.recordAll(
      tx,
      sessionsEnded,
      ended.filter(({ sessionIds }) => sessionIds.length > 0 || all !== undefined),
    );
    return gone.length;
  };

  return {
    /** The actor of this token, or null. With `byPerson` false (a timer's call) neither session nor elevation is prolonged. */
    async authenticate(token: string, byPerson: boolean): Promise<Actor | null> {
      const now = clock.now().getTime();
      const tokenHash = hashOfToken(token);
      const found = await sessionOfToken(db, tokenHash, now);
      if (found === undefined) return null;
      const { session, member } = found;
      if (member.is_active !== 1 || !isAlive(session, member, now)) return null;
      const elevated = isElevated(elevationOf(session, tokenHash), now);
      const passwordFresh = isPasswordFresh(session.password_at, now);
      if (byPerson) await noteUse(session, member, elevated, now);
      return actAs(member, {
        sessionId: session.id,
        tokenHash,
        device: session.device,
        elevated,
        passwordFresh,
        apiToken: null,
        isSameAt: (later) =>
          // A replaced token ends by the clock, in the query.
          session.token_hash === tokenHash &&
          isAlive(session, member, later) &&
          isElevated(elevationOf(session, tokenHash), later) === elevated &&
          isPasswordFresh(session.password_at, later) === passwordFresh &&
          !(byPerson && (isUseDue(session, later) || (elevated && isActDue(session, later)))),
      });
    },

    actAs,

    /** The caller's row as of the call's start: for display only. */
    memberOf(actor: Actor): MemberRow {
      const row = rowOf.get(actor);
      if (row === undefined) throw new Error("only an actor that this panel let in has a member");
      return row;
    },

    /** `by` other than a password: what takes a password asks for it. */
    async openSession(
      tx: Tx,
      member: MemberRow,
      userAgent: string | null,
      by: ProvenBy = "password",
    ): Promise<OpenedSession> {
      const now = clock.now().getTime();
      const token = newToken();
      await repository.insertSession(tx, {
        id: randomUUID(),
        token_hash: hashOfToken(token),
        previous_token_hash: null,
        previous_until: null,
        member_id: member.id,
        device: deviceName(userAgent, by === "telegram" ? "Telegram" : undefined),
        created_at: now,
        last_seen_at: now,
        expires_at: sessionEndsAt({ createdAt: now, lastUsedAt: now }, member.role),
        elevated_at: null,
        elevation_seen_at: null,
        password_at: by === "password" ? now : 0,
        by_telegram: by === "telegram" ? 1 : 0,
      });
      await tellEnded(tx, member.id, await repository.deleteSessionsBeyond(tx, member.id, MOST_SESSIONS));
      return { token, maxAgeMs: sessionLifeFor(member.role).absoluteMs };
    },

    aliveSessions,

    dataExport: {
      /** A member's sessions for their data export. */
      sessions: async (memberId: string) =>
        (await aliveSessions(memberId)).map(({ device, created_at, last_seen_at, expires_at }) => ({
          device,
          signedInAt: isoOf(created_at),
          lastSeenAt: isoOf(last_seen_at),
          endsAt: isoOf(expires_at),
        })),
    },

    /**
     * Ends a member's sessions, all of them by default: after a new password, role, block or deletion, or at the member's
     * request. Returns how many there were.
     */
    endSessions: (tx: Tx, memberId: string, how?: HowSessionsEnd): Promise<number> =>
      endSessionsOf(tx, [memberId], how),
    endSessionsOf,

    /**
     * The session continues under a new token, so that anyone else who knows the old one gains nothing from what follows. The old
     * one still counts for 30 s, not as elevated. `elevate`: the two-factor check has just passed, which matters for staff only.
     */
    async renewToken(tx: Tx, { sessionId, tokenHash, role }: Actor, elevate: boolean): Promise<OpenedSession> {
      const now = clock.now().getTime();
      const session = (await repository.lockSession(tx, sessionId)) ?? refuse("auth.required");
      const token = newToken();
      await repository.updateSession(tx, sessionId, {
        token_hash: hashOfToken(token),
        previous_token_hash: tokenHash,
        previous_until: now + REPLACED_TOKEN_MS,
        ...(elevate && isStaff(role) ? { elevated_at: now, elevation_seen_at: now } : {}),
      });
      return { token, maxAgeMs: session.created_at + sessionLifeFor(role).absoluteMs - now };
    },

    /** Whether the two-factor check still counts for this token, read inside the transaction. */
    async isElevated(tx: Tx, { sessionId, tokenHash }: Actor): Promise<boolean> {
      const session = await repository.lockSession(tx, sessionId);
      return session !== undefined && isElevated(elevationOf(session, tokenHash), clock.now());
    },

    /** @throws Refusal auth.required if the session ended during its call */
    async refuseEnded(tx: Tx, { sessionId }: Actor): Promise<void> {
      (await repository.lockSession(tx, sessionId)) ?? refuse("auth.required");
    },

    /** The member has just entered the password in this session. */
    async notePassword(tx: Tx, { sessionId }: Actor): Promise<void> {
      (await repository.lockSession(tx, sessionId)) ?? refuse("auth.required");
      await repository.updateSession(tx, sessionId, { password_at: clock.now().getTime() });
    },

    /** All sessions of a member must pass the two-factor check again. */
    async endElevations(tx: Tx, memberId: string): Promise<void> {
      await repository.endElevationsOf(tx, memberId);
      await events.record(tx, elevationsEnded, { memberId });
    },
  };
}

const isUseDue = ({ last_seen_at: seen }: repository.UsedSession, now: number) =>
  now - seen > SEEN_EVERY_MS || isAheadOfTime(seen, now);
const isActDue = ({ elevation_seen_at: seen }: repository.UsedSession, now: number) =>
  now - (seen ?? 0) > ELEVATION_SEEN_EVERY_MS;

const isAlive = (session: repository.UsedSession, member: MemberRow, now: number) =>
  isSessionAlive({ createdAt: session.created_at, lastUsedAt: session.last_seen_at }, member.role, now);

function elevationOf(session: repository.UsedSession, tokenHash: string): Elevation | null {
  const { token_hash, elevated_at, elevation_seen_at } = session;
  return elevated_at === null || token_hash !== tokenHash
    ? null
    : { elevatedAt: elevated_at, lastActAt: elevation_seen_at ?? elevated_at };
}
