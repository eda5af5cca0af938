import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, startClub } from "../../../testing/start-club.ts";
import { refuse } from "../refusal.ts";
import { type CreationLimit, makeCreationLimit } from "./creation-limit.ts";

let club: Club;
let limit: CreationLimit;
beforeEach(async () => {
  club = await startClub();
  limit = makeCreationLimit(club);
});
afterEach(() => club.stop());

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "made",
    (error: { code: string }) => error.code,
  );
const make = async () => {};

test("a refused creation counts, one the database was too busy for does not", async () => {
  for (let n = 0; n < 70; n += 1)
    expect(await codeOf(limit.counted("anna", async () => refuse("database.busy")))).toBe("database.busy");
  for (let n = 0; n < 59; n += 1)
    expect(await codeOf(limit.counted("anna", async () => refuse("config.limit_reached")))).toBe(
      "config.limit_reached",
    );
  expect(await codeOf(limit.counted("anna", make))).toBe("made");
  expect(await codeOf(limit.counted("anna", make))).toBe("request.too_many");
  expect(await codeOf(limit.counted("boris", make))).toBe("made");
});
