import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { makeClients } from "./client-address.ts";

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } }) as unknown as FastifyRequest;

test("an address is parsed the same the first time, again, and after more callers than are cached", () => {
  const clients = makeClients(["10.0.0.0/8"]);
  for (let round = 0; round < 2; round++) {
    for (let caller = 0; caller < 1_500; caller++) {
      const address = `203.0.${caller >> 8}.${caller & 255}`;
      expect(clients.addressOf(request(`::ffff:${address}`))).toBe(address);
      expect(clients.addressOf(request("10.0.0.1", `${address}:443, 10.0.0.2`))).toBe(address);
      expect(clients.addressOf(request(address, "198.51.100.1"))).toBe(address);
    }
    expect(clients.trusts("10.1.2.3")).toBe(true);
    expect(clients.trusts("203.0.0.1")).toBe(false);
    expect(clients.addressOf(request("10.0.0.1", "x".repeat(10_000)))).toBeNull();
  }
});
