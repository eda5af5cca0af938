import type { ModelMember, makeClubModel } from "./club-model.ts";
import { configInput } from "./config-input.ts";
import { newDevice } from "./devices-model.ts";
import type { randomOf } from "./random-of.ts";
import type { Caller, Club, Person } from "./start-club.ts";

export interface Life {
  club: Club;
  model: ReturnType<typeof makeClubModel>;
  random: ReturnType<typeof randomOf>;
  now: () => number;
  admin: () => Caller;
  session: (member: ModelMember) => Promise<Person>;
  note: (what: string, member: ModelMember, isAllowed: boolean, status: number) => void;
  keyOf: (configId: string) => Promise<string>;
  limit: number;
}

/** A second interface, and three groups: one has that interface, one both, and one none. */
async function prepare({ club, model, admin }: Life): Promise<string[]> {
  const [first] = (await admin().call("GET /admin/servers/interfaces")).body;
  if (first === undefined) throw new Error("the club has no interface");
  const params = { serverId: first.serverId };
  const made = await admin().call("POST /admin/servers/{serverId}/create-interface", { params, body: { mtu: null } });
  const second = made.body.interface;
  await admin().call("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
    params: { ...params, id: second.id },
    body: { subnet: "10.192.0.0/18" },
  });
  await club.settle();
  const places = [first.id, second.id];
  for (const [n, interfaces] of [[second.id], places, []].entries()) {
    const { body } = await admin().call("POST /admin/groups", { body: { name: `Group ${n}`, interfaces } });
    model.devices.groups.set(body.id, interfaces);
  }
  return places;
}

/** Acts of a year that few tests have together: months ahead, devices with an end or unused, groups with interfaces. */
export async function makeRarerActs(life: Life) {
  const { club, model, random, now, admin, session, note, keyOf, limit } = life;
  const { below, one } = random;
  const places = await prepare(life);
  const { devices } = model;
  /** In which months a payment begins or goes on that was made ahead. */
  const ahead = (member: ModelMember) => [...member.months.keys()].filter((period) => period > model.monthOf(now()));
  const isSettled = (member: ModelMember) =>
    ["paid", "not_required"].includes(member.months.get(model.monthOf(now()))?.status ?? "");
  const isFree = (member: ModelMember) =>
    member.isUnlimited || (model.earned(now()).has(member.id) && !model.runs(member, now()));

  const acts: Record<string, (member: ModelMember) => Promise<void>> = {
    async payAhead(member) {
      if (!isSettled(member)) return;
      const months = below(4) === 0 ? 12 : 3;
      const byClaim = below(2) === 0 && !member.isBlocked && !isFree(member);
      if (byClaim) {
        const claimed = await club.as(await session(member)).call("POST /payments/claim", { body: { months } });
        note("claimAhead", member, true, claimed.status);
      }
      const end = member.end === null ? null : new Date(member.end).toISOString();
      const isAllowed = model.payAhead(member, months, now());
      const body = { userId: member.id, status: "paid" as const, period: model.monthOf(now()) };
      const wish = byClaim
        ? body
        : { ...body, months: months as 3 | 12, ahead: true as const, expected: { subscriptionEnd: end } };
      note("payAhead", member, isAllowed, (await admin().call("PUT /admin/payments/status", { body: wish })).status);
    },
    async takeBackAhead(member) {
      const period = one(ahead(member));
      if (period === undefined) return;
      const isAllowed = model.takeBackAhead(member, period, now());
      const body = { userId: member.id, status: "overdue" as const, period };
      note("takeBackAhead", member, isAllowed, (await admin().call("PUT /admin/payments/status", { body })).status);
    },
    async regroup(member) {
      const groups = [...devices.groups.keys()].filter(() => below(3) === 0);
      member.groups = new Set(groups);
      const params = { id: member.id };
      note(
        "regroup",
        member,
        true,
        (await admin().call("PUT /admin/users/{id}/groups", { params, body: { groups } })).status,
      );
    },
    async makeDeviceOn(member) {
      const place = one(places) ?? "";
      if (member.isBlocked) return;
      const isAllowed =
        model.isEntitled(member, now(), model.earned(now())) &&
        member.devices.length < limit &&
        devices.mayUse(member, place);
      const person = await session(member);
      const name = `p-${below(1e9)}`;
      const body = { ...(await configInput(club, person, { name })), interfaceId: place };
      const answer = await club.as(person).call("POST /vpn/configs", { body });
      note("makeDeviceOn", member, isAllowed, answer.status);
      if (!isAllowed) return;
      const { id } = answer.body;
      member.devices.push(newDevice({ id, key: await keyOf(id), name, place, madeAt: now() }));
    },
    async guest(member) {
      const device = one(member.devices);
      if (device === undefined) return;
      const days = below(12);
      const end = below(5) === 0 ? null : devices.endIn(days, now());
      const until = end === null ? null : new Date(end).toISOString();
      const isByStaff = member.isBlocked || below(2) === 0;
      const isAllowed = devices.setEnd(device, end, isByStaff, now());
      const params = { id: device.id };
      const answer = isByStaff
        ? await admin().call("PUT /admin/configs/{id}/end", { params, body: { until } })
        : await club.as(await session(member)).call("PUT /vpn/configs/{id}", { params, body: { until } });
      note(isByStaff ? "endByStaff" : "guest", member, isAllowed, answer.status);
    },
    async bringBack(member) {
      const device = one(member.devices.filter(({ offSince }) => offSince !== null));
      if (device === undefined) return;
      const isByStaff = member.isBlocked || below(2) === 0;
      const isAllowed = devices.reactivate(device, isByStaff);
      const params = { id: device.id };
      const answer = isByStaff
        ? await admin().call("POST /admin/configs/{id}/reactivate", { params })
        : await club.as(await session(member)).call("POST /vpn/configs/{id}/reactivate", { params });
      note("bringBack", member, isAllowed, answer.status);
    },
  };
  const often = ["payAhead", "payAhead", "takeBackAhead", "regroup", "makeDeviceOn", "guest", "guest", "bringBack"];
  return (member: ModelMember) => acts[one(often) ?? ""]?.(member);
}
