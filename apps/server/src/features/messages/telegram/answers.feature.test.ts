import { describe, expect, test, vi } from "vitest";
import {
  ask,
  club,
  codeFor,
  link,
  MINUTE_MS,
  marina,
  marinaThere,
  openClubWithBot,
  PATIENCE,
  strangerThere,
  telegram,
} from "../../../../testing/bot-club.ts";
import { configInput } from "../../../../testing/config-input.ts";
import type { NewPerson } from "../../../../testing/start-club.ts";

openClubWithBot();

describe("the bot's answers", () => {
  test("/status shows the subscription and the number of devices; /configs shows each one's state", async () => {
    const boris = await club.member({ username: "boris", subscriptionEnd: Date.parse("2026-12-12T20:59:59Z") });
    await link(boris, strangerThere);
    expect(await ask(strangerThere, "/configs")).toBe("Пока ни одного устройства. Создайте первое на странице клуба.");
    for (const name of ["laptop", "pixel"]) {
      await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) });
      club.clock.advance(1_000);
    }
    const [laptop] = club.host.peers();
    club.host.use(laptop?.publicKey ?? "", { rx: 1, tx: 1 }, club.clock.now().getTime());
    await club.app.parts.reconciler.readAll();
    expect(await ask(strangerThere, "/status")).toBe(
      "Аккаунт: boris\nПодписка до 12 декабря 2026 г.\nУстройства: 2 из 3",
    );
    expect(await ask(strangerThere, "/configs")).toBe(
      "laptop: на связи\npixel: ещё не подключался\n\nЧтобы получить файл и QR-код устройства, нажмите на его имя.",
    );
    club.clock.advance(3 * 60 * MINUTE_MS);
    expect(await ask({ ...strangerThere, language_code: "en" }, "/configs")).toBe(
      "laptop: connected 3 hours ago\npixel: not connected yet\n\nTo get a device's file and QR code, press its name.",
    );
  });

  test("/status and /configs describe the subscription and devices as the page does", async () => {
    await club.as(await club.admin()).call("PUT /admin/settings", { body: { graceHours: 48 } });
    const [ended, inGrace] = [Date.parse("2026-02-01T12:00:00Z"), Date.parse("2026-11-20T20:59:59Z")];
    const used = Date.parse("2026-11-30T21:00:00Z");
    const saysTo = async (id: number, wish: NewPerson) => {
      const person = { ...strangerThere, id };
      const member = await club.member({ username: `m${id}`, ...wish });
      await link(member, person);
      const lines = (await ask(person, "/status")).split("\n");
      expect([lines[0], lines.at(-1)]).toEqual([
        `Аккаунт: m${id}`,
        wish.configLimit === -1 ? "Устройства: 0" : "Устройства: 0 из 3",
      ]);
      return lines.slice(1, -1).join("\n");
    };
    expect([
      await saysTo(601, { row: { is_unlimited: 1 }, configLimit: -1 }),
      await saysTo(602, { subscriptionEnd: null }),
      await saysTo(603, { subscriptionEnd: ended }),
      await saysTo(604, { row: { subscription_source: "trial" } }),
      await saysTo(605, { subscriptionEnd: inGrace }),
      await saysTo(606, { subscriptionEnd: ended, row: { referral_earned_at: ended } }),
      await saysTo(607, { subscriptionEnd: inGrace, row: { quota_used_up_until: used } }),
      await saysTo(608, {
        subscriptionEnd: null,
        row: { quota_at_end: "slow", quota_slowed_until: used, speed_mbit: 3, referral_earned_at: ended },
      }),
    ]).toEqual([
      "Безлимитная подписка",
      "Подписка: не активна",
      "Подписка истекла 1 февраля 2026 г.",
      "Пробный период до 21 декабря 2026 г.",
      "Подписка истекла 20 ноября 2026 г., устройства работают до 22 ноября 2026 г. в 23:59",
      "Подписка: бессрочно, пока подписка активна у трёх ваших друзей",
      "Подписка истекла 20 ноября 2026 г.\nТрафик на этот месяц израсходован, VPN включится сам 1 декабря 2026 г.",
      "Подписка: бессрочно, пока подписка активна у трёх ваших друзей\nТрафик на этот месяц израсходован, до 1 декабря 2026 г. медленно: 3 Мбит/с",
    ]);
    await link();
    await club.as(marina).call("POST /vpn/configs", { body: await configInput(club, marina, { name: "pixel" }) });
    club.clock.advance(40 * 24 * 60 * MINUTE_MS);
    await vi.waitFor(
      async () => expect(await ask(marinaThere, "/configs")).toMatch(/^pixel: отключён: нет подписки\n/),
      PATIENCE,
    );
  });

  test("a stranger is shown how to link, with the club's address if there is one", async () => {
    for (const text of ["/start", "/status", "/configs", "/unlink", "привет"])
      expect(await ask(strangerThere, text)).toMatch(/«Настройки», «Telegram»/);
    expect(await ask(strangerThere, "/help")).toContain("/unlink: отвязать");
  });

  test("a long list of devices is cut before a message would be too long", async () => {
    const boris = await club.member({ username: "boris", configLimit: -1 });
    await link(boris, strangerThere);
    const wish = await configInput(club, boris);
    for (let n = 0; n < 43; n++)
      await club.as(boris).call("POST /vpn/configs", { body: { ...wish, name: `device-${n}` } });
    const lines = (await ask(strangerThere, "/configs")).split("\n");
    expect([lines.length, lines[40]]).toEqual([43, "и ещё 3"]);
    expect(telegram.messagesTo(strangerThere).at(-1)?.buttons).toHaveLength(20);
  });

  test("under maintenance it says so, as the panel does, and accepts no code", async () => {
    const code = await codeFor(marina);
    await club.transact((tx) => club.app.parts.maintenance.set(tx, true, null));
    expect(await ask(marinaThere, `/start ${code}`)).toBe(
      "Система находится на техническом обслуживании. Попробуйте позже.",
    );
    await club.transact((tx) => club.app.parts.maintenance.set(tx, false, null));
    expect(await ask(marinaThere, `/start ${code}`)).toContain("привязан к аккаунту marina");
  });
});
