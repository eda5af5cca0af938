import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";

/* A member asks for a service that is missing. */
let club: Club;
let admin: Person;
let boris: Person;
beforeAll(async () => {
  club = await startClub();
  admin = await club.admin();
});
beforeEach(async () => {
  boris = await club.member();
});
afterAll(() => club.stop());

const ask = async (service: string) =>
  (
    await club.as(boris).call("POST /support/tickets", {
      body: { subject: `Нужен сервис: ${service}`, description: "Его нет в списке", category: "feature", service },
    })
  ).body;
const wishOf = async (id: string) =>
  (await club.as(admin).call("GET /admin/support/tickets")).body.find((ticket) => ticket.id === id)?.wishedService;
const add = (name: string, ticketId?: string) =>
  club.as(admin).call("POST /services", { body: { name, ips: ["192.0.2.1"], ...(ticketId && { ticketId }) } });
const told = async () =>
  (await club.as(boris).call("GET /inbox")).body.flatMap((one) => (one.kind === "service_added" ? [one.params] : []));

test("the wish reaches staff with the ticket; once it is added from there, the member is notified once", async () => {
  const { id } = await ask("Кинозал");
  expect(await wishOf(id)).toEqual({ name: "Кинозал", isAdded: false });
  expect((await add("Другой")).status).toBe(201);
  expect([await wishOf(id), await told()]).toEqual([{ name: "Кинозал", isAdded: false }, []]);
  expect((await add("Кинозал онлайн", id)).status).toBe(201);
  expect([await wishOf(id), await told()]).toEqual([{ name: "Кинозал", isAdded: true }, [{ name: "Кинозал онлайн" }]]);
  expect((await add("Кинозал ещё", id)).status).toBe(201);
  expect(await told()).toHaveLength(1);
});

test("a service that could not be added notifies nobody; neither does one for another kind of ticket, or for none", async () => {
  const { id } = await ask("Музыка");
  expect(
    (await club.as(admin).call("POST /services", { body: { name: "Музыка", ips: ["x"], ticketId: id } })).status,
  ).toBe(400);
  const other = await club
    .as(boris)
    .call("POST /support/tickets", { body: { subject: "Счёт", description: "Не приходит" } });
  expect((await add("Счёт", other.body.id)).status).toBe(201);
  expect((await add("Нигде", "00000000-0000-4000-8000-000000000000")).status).toBe(201);
  expect(await told()).toEqual([]);
  expect(await wishOf(other.body.id)).toBeNull();
});
