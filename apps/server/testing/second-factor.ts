import { SECOND_MS } from "@krug/domain/moment";
import { Secret, TOTP } from "otpauth";
import type { Club, Person } from "./start-club.ts";

export const codeOf = (club: Club, secret: string, shiftMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: club.clock.now().getTime() + shiftMs });

/** Six digits that are not a valid code around now. */
export function wrongCode(club: Club, secret: string): string {
  const near = [-60, -30, 0, 30, 60].map((second) => codeOf(club, secret, second * SECOND_MS));
  return ["111111", "222222", "333333", "444444", "555555", "666666"].find((code) => !near.includes(code)) ?? "";
}

export const status = (club: Club, who: Person, id = who.id) =>
  club.as(who).call("GET /totp/{id}/status", { params: { id } });

/** The person continues with the new token, as a browser does with its cookie. */
const goOn = <Answer extends { body: { token?: string | null } }>(who: Person, answer: Answer): Answer => {
  who.token = answer.body.token ?? who.token;
  return answer;
};

export const verify = async (club: Club, who: Person, token: string, id = who.id) =>
  goOn(who, await club.as(who).call("POST /totp/{id}/verify", { params: { id }, body: { token } }));

export const enable = async (club: Club, who: Person, secret: string, token: string) =>
  goOn(who, await club.as(who).call("POST /totp/{id}/enable", { params: { id: who.id }, body: { secret, token } }));

export const disable = (club: Club, who: Person, id: string, token?: string) =>
  club.as(who).call("POST /totp/{id}/disable", { params: { id }, body: token === undefined ? {} : { token } });

/** Turns 2FA on and lets the code's half minute pass, so the next code is fresh. */
export async function enabled(club: Club, who: Person) {
  const secret = (await status(club, who)).body.secret ?? "";
  const answer = await enable(club, who, secret, codeOf(club, secret));
  club.clock.advance(30 * SECOND_MS);
  return { secret, recoveryCodes: answer.body.recoveryCodes };
}

/** The same member in another browser, not elevated. */
export async function inAnotherBrowser(club: Club, { username, password, ...person }: Person): Promise<Person> {
  const answer = await club.guest.call("POST /auth/login", { body: { username, password } });
  return { ...person, username, password, token: answer.body.token };
}
