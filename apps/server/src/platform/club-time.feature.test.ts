import { expect, onTestFinished, test } from "vitest";
import { startClub } from "../../testing/start-club.ts";
import { makeClubTime } from "./club-time.ts";

test("a date at the end of the year 9999 is accepted or refused in any zone, and every answer is valid", async () => {
  for (const zone of ["Europe/Moscow", "America/New_York", "Pacific/Kiritimati"]) {
    const club = await startClub({ environment: { CLUB_TIME_ZONE: zone } });
    onTestFinished(() => club.stop());
    const boris = await club.member();
    const admin = club.as(await club.admin());
    const [place] = (await admin.call("GET /admin/servers/interfaces")).body;
    for (const forever of ["9999-12-31", "9999-12-31T23:59:59-23:59"]) {
      const changed = await admin.call("PUT /users/{id}", {
        params: { id: boris.id },
        body: { subscriptionEnd: forever },
      });
      expect([zone, forever, changed.body.subscriptionEnd?.slice(0, 4)]).toEqual([zone, forever, "9999"]);
    }
    for (const date of [
      "9999-12-31",
      "9999-12-31T23:59:59Z",
      "9999-12-31T23:59:59-23:59",
      "9999-12-30T12:00:00+14:00",
      "0000-01-01",
      "0001-01-01T00:00:00+23:59",
      "1970-01-01",
      `2030-01-01T00:00:00.${"9".repeat(400)}Z`,
      "2030-02-30",
    ]) {
      const changed = await admin.send("PUT", `/api/users/${boris.id}`, { subscription_end: date });
      expect([zone, date, "end", changed.code ?? 200]).not.toContain("internal");
      for (const field of ["expiresAt", "subscriptionEndDate"]) {
        const invite = { interfaces: [place?.id], [field]: date };
        const made = await admin.send("POST", "/api/admin/invite-codes", invite);
        expect([zone, date, field, made.code ?? 200]).not.toContain("internal");
      }
    }
    expect((await admin.call("GET /users")).status).toBe(200);
    expect((await admin.call("GET /admin/invite-codes")).status).toBe(200);
  }
});

test("a moment is written with the offset of the current zone", () => {
  let zone = "Europe/Moscow";
  const { write } = makeClubTime(() => zone);
  const noon = Date.parse("2026-11-21T09:00:00Z");
  expect([write(noon), write(noon)]).toEqual(["2026-11-21T12:00:00.000+03:00", "2026-11-21T12:00:00.000+03:00"]);
  zone = "Asia/Tokyo";
  expect(write(noon)).toBe("2026-11-21T18:00:00.000+09:00");
});
