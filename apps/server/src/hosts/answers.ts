import { canonicalAddress, parseCidr } from "@krug/wireguard/addresses";
import { z } from "zod";

/*
 * Checks what machines report before the panel uses it (docs/adr/0109-a-machines-word-is-read-once.md). A server may be
 * compromised: an answer that does not fit is that server's failure, never the caller's.
 */

/** Kernel names have up to 15 characters; this leaves room for what a container's `ip` appends. */
export const MOST_NAME = 64;
const Name = z.string().max(MOST_NAME);
/** Shown to people. */
const Text = z.string().max(64 * 1024);
const Bytes = z
  .number()
  .nonnegative()
  .max(2 ** 64);
const Port = z.int().min(0).max(65_535);

export const IpAddress = z
  .string()
  .max(64)
  .refine((text) => canonicalAddress(text) !== null);
const Network = z
  .string()
  .max(64)
  .refine((text) => parseCidr(text) !== null);

export const Occupied = z.object({
  interfaceNames: z.array(Name),
  udpPorts: z.array(Port),
  subnets: z.array(Network),
  kernelTunnels: z.array(z.object({ name: Name, subnets: z.array(Network) })),
});

export const MachineState = z.object({
  hostName: z.string().max(255),
  cpuUsage: z.number().min(0).max(100),
  cpuTimes: z.object({ idle: z.number().nonnegative(), total: z.number().nonnegative() }),
  cores: z.int().positive(),
  memory: z.object({ total: Bytes, free: Bytes }),
  uptimeS: z.int().nonnegative(),
  load: z.tuple([z.number().nonnegative(), z.number().nonnegative(), z.number().nonnegative()]),
  network: z.object({ in: Bytes, out: Bytes }),
  address: IpAddress.nullable(),
});

const Family = z.literal([4, 6]);
const Way = z.enum(["out", "back"]);

export const Passed = z
  .array(
    z.object({
      way: Way,
      family: Family,
      kind: z.enum(["web", "dns"]),
      begun: z.int().nonnegative(),
      passed: z.int().nonnegative(),
    }),
  )
  .nullable();

export const RefusedBy = z.array(
  z.object({
    by: z.enum(["ufw", "firewalld", "docker", "iptables", "iptables-legacy", "nftables"]),
    chain: Text,
    rule: Text.nullable(),
    ways: z.array(Way),
    families: z.array(Family),
    isSure: z.boolean(),
    opening: Text,
  }),
);

export const PathMtu = z.int().positive().max(65_535).nullable();
export const Endpoint = IpAddress.nullable();
