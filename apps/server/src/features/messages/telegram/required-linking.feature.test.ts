import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
  club,
  link,
  marina,
  marinaThere,
  openClubWithBot,
  PATIENCE,
  RU,
  statusOf,
  strangerThere,
  telegram,
  withBot,
} from "../../../../testing/bot-club.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Person, startClub } from "../../../../testing/start-club.ts";

openClubWithBot();

describe("linking is required for new configs", () => {
  const create = async (who: Person, name: string) =>
    club.as(who).call("POST /vpn/configs", { body: await configInput(club, who, { name }), headers: RU });
  const admin = async () => club.as(await club.admin());

  test("once there is a bot, except for the first device; linking lifts it", async () => {
    expect((await create(marina, "first")).status).toBe(201);
    const refused = await create(marina, "second");
    expect([refused.status, refused.code, refused.message]).toEqual([
      403,
      "telegram.not_linked",
      "Привяжите Telegram для создания VPN",
    ]);
    await link();
    expect((await create(marina, "second")).status).toBe(201);
    telegram.block(marinaThere);
    await vi.waitFor(async () => expect((await create(marina, "third")).code).toBe("telegram.not_linked"), PATIENCE);
  });

  test("an admin switches it off and on, which is audited", async () => {
    const as = await admin();
    await create(marina, "first");
    expect((await as.call("PUT /admin/telegram", { body: { required: false } })).body).toMatchObject({
      enabled: true,
      reason: null,
      botName: "krug_club_bot",
      required: false,
      requiredNow: false,
    });
    expect((await statusOf(marina)).required).toBe(false);
    expect((await create(marina, "second")).status).toBe(201);
    await as.call("PUT /admin/telegram", { body: { required: true } });
    expect((await create(marina, "third")).code).toBe("telegram.not_linked");
    const written = await club.db
      .withTables<{ audit: { action: string; before: string; after: string; at: number } }>()
      .selectFrom("audit")
      .select(["before", "after"])
      .where("action", "=", "telegram.changed")
      .execute();
    expect(written).toHaveLength(2);
    expect(written).toContainEqual({ before: '{"telegramRequired":true}', after: '{"telegramRequired":false}' });
  });

  test("without a token it is not required, and staff see why", async () => {
    const silent = await startClub();
    onTestFinished(() => silent.stop());
    const vera = await silent.member();
    expect((await silent.as(vera).call("GET /auth/telegram/status")).body).toMatchObject({
      enabled: false,
      required: false,
    });
    for (const name of ["a", "b"]) {
      const body = await configInput(silent, vera, { name });
      expect((await silent.as(vera).call("POST /vpn/configs", { body })).status).toBe(201);
    }
    const as = silent.as(await silent.admin());
    expect((await as.call("GET /admin/telegram")).body).toEqual({
      enabled: false,
      reason: "no_token",
      reasonSince: null,
      botName: null,
      required: true,
      requiredNow: false,
      staffActs: true,
      connectedMembers: 0,
    });
    expect((await as.call("PUT /admin/telegram", { body: { required: true } })).code).toBe("telegram.no_token");
  });

  test("a token that Telegram refuses counts as none", async () => {
    const wrong = await startClub({ environment: withBot("123456:not-this-one") });
    onTestFinished(() => wrong.stop());
    const as = wrong.as(await wrong.admin());
    await vi.waitFor(async () => {
      const { body } = await as.call("GET /admin/telegram");
      expect(body).toMatchObject({ enabled: false, reason: "wrong_token", requiredNow: false });
      expect(body.reasonSince).not.toBeNull();
    }, PATIENCE);
  });

  test("staff see how many are connected, a moderator without the VIP members", async () => {
    await link();
    await link(await club.member({ username: "vip", row: { is_vip: 1 } }), strangerThere);
    const connected = async (who: Person) => (await club.as(who).call("GET /admin/telegram")).body.connectedMembers;
    expect(await connected(await club.admin())).toBe(2);
    expect(await connected(await club.moderator())).toBe(1);
  });
});
