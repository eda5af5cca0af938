import type { Club, Person } from "./start-club.ts";

/** Ids from the starting catalogue that a config needs. */
export async function choices(club: Club, member: Person) {
  const services = (await club.as(member).call("GET /services")).body;
  const dns = (await club.as(member).call("GET /dns")).body;
  const interfaces = (await club.as(member).call("GET /vpn/available-interfaces")).body;
  const [service] = services;
  const [resolver] = dns;
  const [place] = interfaces;
  if (service === undefined || resolver === undefined || place === undefined)
    throw new Error("the club has no catalogue or interface");
  return { services: [service.id], dns: resolver.id, interfaceId: place.id };
}

/** The body of a valid config; `own` is what matters to the test. */
export async function configInput(
  club: Club,
  member: Person,
  own: { name?: string; deviceType?: "computer" | "phone"; services?: string[]; publicKey?: string } = {},
) {
  return { name: "laptop", deviceType: "computer" as const, ...(await choices(club, member)), ...own };
}
