import { afterEach, beforeEach } from "vitest";
import { configInput } from "./config-input.ts";
import { type Club, type Person, startClub } from "./start-club.ts";

export let club: Club;
export let boris: Person;
export let admin: Person;
/** Each test of this file gets a club whose one server is the double of a machine, a member and an admin. */
export function openClubOnWire(): void {
  beforeEach(async () => {
    club = await startClub();
    boris = await club.member();
    admin = await club.admin();
  });
  afterEach(() => club.stop());
}

/** A new config of theirs, as they are answered. */
export const make = async (owner: Person, name = "laptop") =>
  (await club.as(owner).call("POST /vpn/configs", { body: await configInput(club, owner, { name }) })).body;
export const listOf = async (owner: Person) => (await club.as(owner).call("GET /vpn/configs")).body;
/** The public keys on the machine. */
export const keys = () =>
  club.host
    .peers()
    .map((peer) => peer.publicKey)
    .sort();
export const change = (username: string, body: object) => club.as(admin).send("PUT", `/api/users/${username}`, body);
