import { reason } from "@krug/domain/reasons";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { HostRefused, type Passing, type Refusing } from "../../../hosts/host.ts";

const ORACLE: Refusing = {
  by: "iptables",
  chain: "iptables-nft FORWARD",
  rule: "-A FORWARD -j REJECT --reject-with icmp-host-prohibited",
  ways: ["out", "back"],
  families: [4],
  isSure: true,
  opening: "iptables -I FORWARD -i wg0 -j ACCEPT",
};

let club: Club;
let admin: Person;
let boris: Person;
let configId: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  boris = await club.member();
  configId = (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris) })).body.id;
  await club.as(boris).call("GET /vpn/configs/{id}/download", { params: { id: configId } });
});
afterEach(() => club.stop());

const look = async () => {
  club.clock.advance(60_000);
  await club.app.lookAtServers();
  await club.settle();
};
const card = async () => (await club.as(admin).call("GET /admin/servers")).body[0]!;
const told = async () =>
  (await club.as(admin).call("GET /inbox")).body
    .map(({ kind }) => kind)
    .filter((kind) => kind.startsWith("forwarding"));
const sent = (begun: number, passed: number) => {
  const all: Passing[] = (["out", "back"] as const).map((way) => ({ way, family: 4, kind: "web", begun, passed }));
  club.host.counted = all;
};
/** The member's device is connected, but hardly anything reached it. */
const diagnosis = async () => {
  club.host.use(club.host.peers()[0]?.publicKey ?? "", { rx: 2_000, tx: 900 }, club.clock.now().getTime());
  club.clock.advance(3_000);
  return (await club.as(boris).call("GET /vpn/configs/{id}/diagnosis", { params: { id: configId }, query: {} })).body
    .cause;
};
const change = async (opensForwarding: boolean) =>
  (
    await club
      .as(admin)
      .call("PUT /admin/servers/{id}", { params: { id: (await card()).id }, body: { opensForwarding } })
  ).body;

describe("a server that does not forward members' packets", () => {
  test("shows the rule on its card, notifies staff once, and tells the member before DNS is blamed", async () => {
    await look();
    expect(await card()).toMatchObject({ forwarding: null, opensForwarding: false });
    expect(await diagnosis()).toBe("no_dns");
    club.host.closedBy = [ORACLE];
    sent(0, 0);
    await look();
    const since = club.clock.now().toISOString();
    expect((await card()).forwarding).toEqual({
      state: "suspected",
      since,
      causes: [ORACLE],
      failure: null,
      why: null,
    });
    sent(9, 0);
    await look();
    expect((await card()).forwarding).toMatchObject({ state: "refused", since, causes: [ORACLE] });
    expect(await told()).toEqual(["forwarding_refused"]);
    expect(await diagnosis()).toBe("not_forwarded");
    const said = JSON.stringify(
      await club.as(boris).call("GET /vpn/configs/{id}/diagnosis", { params: { id: configId }, query: {} }),
    );
    expect(said).not.toContain("iptables");
  });

  test("is reported without a rule if none was found", async () => {
    sent(0, 0);
    await look();
    sent(40, 0);
    await look();
    expect((await card()).forwarding).toMatchObject({ state: "refused", causes: [] });
  });

  test("recovers once something passes, and staff are notified", async () => {
    club.host.closedBy = [ORACLE];
    sent(9, 0);
    await look();
    sent(12, 3);
    await look();
    expect((await card()).forwarding).toBeNull();
    expect(await told()).toEqual(["forwarding_back", "forwarding_refused"]);
    expect(await diagnosis()).toBe("no_dns");
  });

  test("an idle minute changes nothing and writes nothing", async () => {
    club.host.closedBy = [ORACLE];
    sent(9, 0);
    await look();
    const before = (await card()).forwarding;
    await look();
    expect((await card()).forwarding).toEqual(before);
    expect(await told()).toEqual(["forwarding_refused"]);
  });

  test("a machine that cannot tell holds up nothing", async () => {
    const no = async () => {
      throw new HostRefused(reason("machine.said", {}, "nft: no such thing"));
    };
    Object.assign(club.host, { passing: no, refusing: no });
    await look();
    expect(await card()).toMatchObject({ status: "connected", forwarding: null });
  });
});

describe("opening a closed machine", () => {
  test("on request: the machine is opened at once and kept open, over restarts, until it is taken back; both are in the journal", async () => {
    club.host.closedBy = [ORACLE];
    sent(9, 0);
    await look();
    expect(await change(true)).toMatchObject({ opensForwarding: true, forwarding: null });
    expect(club.host.isOpened).toBe(true);
    club.host.isOpened = false;
    sent(12, 3);
    await club.restart();
    await look();
    expect(club.host.isOpened).toBe(true);
    expect(await change(false)).toMatchObject({ opensForwarding: false, forwarding: { state: "suspected" } });
    expect(club.host.isOpened).toBe(false);
    const history = await auditOf(club, (await card()).id);
    expect(history.filter(({ action }) => action === "server.changed").map(({ after }) => after)).toEqual([
      { opens_forwarding: 0 },
      { opens_forwarding: 1 },
    ]);
  });

  test("shows the machine's answer if it could not be opened", async () => {
    const { apply } = club.host;
    club.host.apply = async (desired) => {
      const applied = await apply(desired);
      club.host.isOpened = false;
      return {
        ...applied,
        openingFailure: desired.opensForwarding ? reason("machine.said", {}, "nft: Operation not permitted") : null,
      };
    };
    club.host.closedBy = [ORACLE];
    await look();
    expect((await change(true)).forwarding).toMatchObject({
      causes: [ORACLE],
      why: { code: "machine.said", said: "nft: Operation not permitted" },
    });
  });

  test("is for admins only", async () => {
    const { id } = await card();
    const asked = await club
      .as(await club.moderator())
      .send("PUT", `/api/admin/servers/${id}`, { opensForwarding: true });
    expect(asked.status).toBe(403);
  });
});
