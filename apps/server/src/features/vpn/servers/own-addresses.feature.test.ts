import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, startClub } from "../../../../testing/start-club.ts";

const ADDRESS = "198.51.101.7";
let club: Club;
beforeEach(async () => {
  club = await startClub({ environment: { PUBLIC_URL: "https://vpn.example" } });
});
afterEach(() => club.stop());

const isOwn = () => club.app.parts.servers.isOwnAddress(ADDRESS);

test("many visitors at once ask once for a server's name, by the look-up that has a time limit", async () => {
  club.names.known.set("vpn.example", { v4: [ADDRESS], v6: [] });
  expect(await Promise.all(Array.from({ length: 20 }, isOwn))).toEqual(Array(20).fill(true));
  expect(club.names.asked.filter((name) => name === "vpn.example")).toHaveLength(1);
});

test("with no resolver answering nobody waits for the system's own look-up", async () => {
  club.names.away = true;
  expect(await isOwn()).toBe(false);
  expect(club.names.asked).toContain("vpn.example");
});
