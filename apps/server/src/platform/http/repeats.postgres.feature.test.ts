import { expect, onTestFinished, test } from "vitest";
import { startClub } from "../../../testing/start-club.ts";

test("where other panels change the database unseen, no answer is repeated", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  club.app.repeats.checkBy(null);
  const anna = await club.member();
  for (const path of ["/api/auth/me", "/api/vpn/configs"])
    for (let times = 0; times < 5; times++) expect((await club.as(anna).send("GET", path)).status).toBe(200);
  expect(club.app.repeats.lastAt()).toBe(0);
});
