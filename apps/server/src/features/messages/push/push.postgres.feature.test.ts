import { expect, onTestFinished, test, vi } from "vitest";
import { newBrowser, startPushDouble, subscriptionOf } from "../../../../testing/push-double.ts";
import { startClub } from "../../../../testing/start-club.ts";

test("all panels on the database use one key, and one of them sends a notice to a browser", async () => {
  const service = await startPushDouble();
  onTestFinished(() => service.close());
  const environment = { PUBLIC_URL: "https://club.example", TRUSTED_PROXIES: "127.0.0.1" };
  const club = await startClub({ environment, internetException: service.exception });
  onTestFinished(() => club.stop());
  club.names.known.set("push.example", { v4: ["127.0.0.1"], v6: [] });
  const other = await club.otherPanel();
  onTestFinished(() => other.stop());
  const anna = await club.member();
  const headers = { "x-forwarded-host": "club.example", "x-forwarded-proto": "https" };
  const answers = await Promise.all([club, other].map((panel) => panel.as(anna).call("GET /push", { headers })));
  const [key, otherKey] = answers.map(({ body }) => body.publicKey);
  expect(key).toMatch(/^B[\w-]{86}$/);
  expect(otherKey).toBe(key);
  const browser = newBrowser(service.at("push.example"));
  const body = { ...subscriptionOf(browser), language: "ru" as const };
  expect((await other.as(anna).call("POST /push", { headers, body })).status).toBe(201);
  const admin = await club.admin();
  for (const message of ["one", "two", "three"])
    await club.as(admin).call("POST /telegram/notify/{userId}", {
      headers,
      params: { userId: anna.id },
      body: { message },
    });
  await vi.waitFor(() => expect(service.shownBy(browser)).toHaveLength(3), { timeout: 20_000, interval: 20 });
  expect(new Set(service.shownBy(browser).map(({ id }) => id)).size).toBe(3);
  expect(service.calls).toHaveLength(3);
});
