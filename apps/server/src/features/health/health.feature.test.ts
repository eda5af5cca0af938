import { expect, onTestFinished, test } from "vitest";
import { startClub } from "../../dev/start-club.ts";

test("whoever asks for the panel's health hears its status and nothing else", async () => {
  const club = await startClub({ localServer: "off" });
  onTestFinished(() => club.stop());
  const health = async () => {
    const answers = [
      await club.guest.call("GET /health"),
      await club.guest.send("GET", "/health"),
      await club.guest.send("GET", "/health", undefined, { "x-forwarded-host": "elsewhere.example" }),
    ];
    for (const { headers } of answers) expect(headers.get("cache-control")).toBe("no-store");
    return answers.map(({ status, body }) => [status, body]);
  };
  expect(await health()).toEqual(Array.from({ length: 3 }, () => [200, { status: "ok" }]));
});

test("while the database does not answer, health is 503, at both addresses alike", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  await club.db.destroy();
  for (const path of ["/health", "/api/health"]) {
    const { status, body } = await club.guest.send("GET", path);
    expect(status).toBe(503);
    expect(body).toEqual({ status: "failing" });
  }
});
