import { setTimeout as wait } from "node:timers/promises";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

let club: Club;
let admin: Person;
let anna: Person;
let boris: Person;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  [anna, boris] = [await club.member(), await club.member()];
});
afterEach(() => club.stop());

test("an interface that gets its first device while an import waits for it does not give way", async () => {
  const { interfaces, configs } = club.app.parts;
  const [first] = [...(await interfaces.places(club.db)).values()];
  if (first === undefined) throw new Error("there is no interface");
  const serverId = (await club.as(admin).call("GET /admin/servers")).body[0]?.id;
  const [own, laptop, phone] = [generateKeyPair(), generateKeyPair(), generateKeyPair()];
  const file =
    `[Interface]\nPrivateKey = ${own.privateKey}\nAddress = 10.8.0.1/24\nListenPort = 51820\n` +
    `\n[Peer]\nPublicKey = ${laptop.publicKey}\nAllowedIPs = 10.8.0.2/32\n`;
  const devices = [{ publicKey: laptop.publicKey, userId: anna.id, name: "laptop", deviceType: "computer" }];
  const actor = { memberId: admin.id } as Parameters<typeof configs.takeIn>[1];
  const imported = await club.transact(async (tx) => {
    const row = await interfaces.lock(tx, first.interface.id);
    if (row === undefined) throw new Error("there is no interface");
    await configs.takeIn(tx, actor, row, [
      {
        memberId: boris.id,
        name: "phone",
        deviceType: "phone",
        ...phone,
        presharedKey: null,
        address: "10.8.0.9",
        counters: undefined,
      },
    ]);
    const answer = club.as(admin).send("POST", `/api/admin/servers/${serverId}/moving-in`, { file, devices });
    // Until it waits for this transaction.
    await wait(1_500);
    return { answer };
  });
  expect((await imported.answer).code).toBe("interface.subnet_taken");
  expect((await club.as(admin).call("GET /admin/servers/interfaces")).body).toMatchObject([{ subnet: "10.8.0.0/24" }]);
});
