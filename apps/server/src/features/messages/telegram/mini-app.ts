import { LINK_TICKET_MS, MINI_APP, OPENING_AHEAD_MS, OPENING_KEPT_MS, OPENING_LIFE_MS } from "@krug/domain/mini-app";
import { isoOf } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import type { Actor } from "../../../platform/http/call.ts";
import type { Framed } from "../../../platform/http/framed.ts";
import { refuse } from "../../../platform/refusal.ts";
import { isSameText } from "../../../platform/same-text.ts";
import type { SignedIn } from "../../access/auth/index.ts";
import { type Opening, readInitData } from "./init-data.ts";
import type { Linking, Person } from "./linking.ts";
import type { TelegramParts } from "./parts.ts";
import * as repository from "./repository.ts";

/** The only site that may frame the Mini App. Telegram's own programs show it without a frame. */
const TELEGRAM_WEB = "https://web.telegram.org";

/** Where the club's Mini App is; null without a bot, or without the https address that Telegram opens it by. */
export const miniAppOf = (token: string | null, publicUrl: URL | null): Framed | null =>
  token === null || publicUrl?.protocol !== "https:" ? null : { path: MINI_APP, by: TELEGRAM_WEB };

interface Opener {
  actor: Pick<Actor, "memberId" | "sessionId"> | null;
  userAgent: string | null;
}

interface ToLink {
  ticket: string;
  account: string;
  expiresAt: string;
}

/** Telegram's Mini App: signs in whoever Telegram says has opened it (decisions, section 8; ADR 170). */
export function makeMiniApp(parts: TelegramParts, linking: Pick<Linking, "lockByAccount" | "linkMember">) {
  const { db, transact, clock, sealing, auth, maintenance } = parts;
  const { token } = parts.bot;
  const place = miniAppOf(token, parts.publicUrl);
  const tickets = makeTickets(parts);
  const now = () => clock.now().getTime();

  /** Nothing of an opening is logged: whoever has it may sign in with it. Its signature cannot be guessed, so nothing is counted. */
  const read = (initData: string): Opening =>
    (place && token !== null && readInitData(initData, token)) || refuse("telegram.open_again");

  /** An opening counts once, while it is fresh. */
  const useUp = async (tx: Tx, { signature, signedAt }: Opening): Promise<boolean> => {
    const age = now() - signedAt;
    if (age > OPENING_LIFE_MS || age < -OPENING_AHEAD_MS) return false;
    const opening_hash = sealing.hash("telegram-opening", signature);
    return repository.insertOpening(tx, { opening_hash, expires_at: now() + OPENING_KEPT_MS });
  };

  return {
    /** The address that buttons open; null if the club has no Mini App. */
    address: place && `${parts.publicUrl?.origin}${place.path}`,

    /** Signs its member in; somebody else gets what links them. Whoever was signed in here before no longer is. */
    async open(initData: string, { actor, userAgent }: Opener): Promise<SignedIn | { toLink: ToLink }> {
      const opening = read(initData);
      const underMaintenance = await maintenance.isOn(db);
      const opened = await transact(async (tx) => {
        if (!(await useUp(tx, opening))) return null;
        if (actor !== null) await auth.endSessions(tx, actor.memberId, { only: actor.sessionId });
        const member = await linking.lockByAccount(tx, opening.person.telegramId);
        if (member === undefined) return { toLink: tickets.give(opening.person) };
        return auth.signInProven(tx, member, { underMaintenance, userAgent, by: "telegram" });
      });
      return opened ?? refuse("telegram.open_again");
    },

    link: (memberId: string, ticket: string): Promise<void> =>
      linking.linkMember(memberId, tickets.read(ticket) ?? refuse("telegram.open_again")),
  };
}

/** What says, for half an hour, that somebody opened the Mini App with an account: stored nowhere, readable by its owner. */
function makeTickets({ clock, sealing }: Pick<TelegramParts, "clock" | "sealing">) {
  const sealOf = (body: string) => sealing.hash("telegram-link-ticket", body);
  return {
    give(person: Person): ToLink {
      const until = clock.now().getTime() + LINK_TICKET_MS;
      const body = Buffer.from(JSON.stringify({ ...person, until })).toString("base64url");
      return { ticket: `${body}.${sealOf(body)}`, account: person.name, expiresAt: isoOf(until) };
    },
    read(ticket: string): Person | null {
      const [body = "", seal = ""] = ticket.split(".");
      if (!isSameText(seal, sealOf(body))) return null;
      const { until, ...person } = JSON.parse(Buffer.from(body, "base64url").toString()) as Person & { until: number };
      const left = until - clock.now().getTime();
      return left > 0 && left <= LINK_TICKET_MS ? person : null;
    },
  };
}
