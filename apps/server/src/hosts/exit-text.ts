import { canonicalAddress } from "@krug/wireguard/addresses";
import { DEFAULT_MTU } from "@krug/wireguard/path-mtu";
import type { ExitLink } from "./host.ts";
import { isInterfaceName } from "./links.ts";
import { PASS_MARK } from "./routing-guard.ts";

/*
 * Exits through other servers, as nft text. A connection is marked with its exit, and each of its packets gets that mark until it
 * is routed (exit-routes.ts). It leaves by the exit's own link or not at all, whatever the machine's routes say meanwhile.
 */

/** Part of a connection's mark, and of a packet's: by which exit it began. It keeps that exit, whatever the rules say later. */
export const EXIT_MASK = 0x00ff_0000;

export const hex = (mark: number) => `0x${(mark >>> 0).toString(16).padStart(8, "0")}`;

/** @throws RangeError if another exit could have the same mark */
export function exitMark(number: number): number {
  if (!Number.isInteger(number) || number < 2 || number > 254) throw new RangeError("an exit has no such number");
  return number << 16;
}

const named = ({ name }: ExitLink) => {
  if (!isInterfaceName(name)) throw new RangeError("a link has no such name");
  return `"${name}"`;
};
const ofMark = (mark: number) => `ct mark & ${hex(EXIT_MASK)} ${hex(mark)}`;
const wear = (mark: number, over = EXIT_MASK) => `meta mark set meta mark & ${hex(~over)} | ${hex(mark)}`;

/** Chains by which a connection begins with an exit, and goes on with it. */
export const exitChains = (links: readonly ExitLink[]): string[] =>
  links.flatMap((link) => {
    const mark = exitMark(link.number);
    return [
      `chain leave_${link.number} {`,
      `  ct mark set ct mark & ${hex(~EXIT_MASK)} | ${hex(mark)}`,
      `  ${wear(mark)}`,
      "}",
    ];
  });

/** Of connections that have begun. */
export const exitsKept = (links: readonly ExitLink[]): string[] =>
  links.map(({ number }) => `${ofMark(exitMark(number))} goto leave_${number}`);

/** Packets that come in by links: answers to what left by the same one, and to the machine itself. Nothing can begin there. */
export const fromLinks = (links: readonly ExitLink[]): string[] => [
  ...links.map((link) => {
    const mark = exitMark(link.number);
    // With the mark, because strict return path checks look where the answer's receiver would send.
    return `iifname ${named(link)} ${ofMark(mark)} ct state established,related ${wear(mark | PASS_MARK, EXIT_MASK | PASS_MARK)} accept`;
  }),
  // Answers to what the machine itself sent by the link.
  ...links.map(
    (link) =>
      `iifname ${named(link)} ${ofMark(0)} ct direction reply ct state established,related ${wear(PASS_MARK, PASS_MARK)} accept`,
  ),
  "drop",
];

/** Of what the machine itself sends: with a link's address nothing leaves by anything else, while routes are missing. */
export const sentByLinks = (links: readonly ExitLink[]): string[] =>
  links.flatMap((link) =>
    link.addresses.map((address) => {
      const own = canonicalAddress(address);
      if (own === null) throw new RangeError("a link's address is none");
      return `${own.includes(":") ? "ip6" : "ip"} saddr ${own} oifname != { ${named(link)}, "lo" } drop`;
    }),
  );

/** Forwarding of links' packets: each connection by its own link, and segments that fit it. */
export const forwardedByLinks = (tunnels: string, links: readonly ExitLink[]): string[] =>
  links.flatMap((link) => {
    const mtu = link.mtu ?? DEFAULT_MTU;
    const fit = (family: "ipv4" | "ipv6", most: number) =>
      `iifname ${named(link)} meta nfproto ${family} tcp flags syn / syn,rst tcp option maxseg size > ${most} tcp option maxseg size set ${most}`;
    return [
      `iifname ${tunnels} ct direction original ${ofMark(exitMark(link.number))} oifname != ${named(link)} drop`,
      `oifname ${named(link)} ${wear(0)}`,
      `iifname ${named(link)} ${wear(0, EXIT_MASK | PASS_MARK)}`,
      fit("ipv4", mtu - 40),
      fit("ipv6", mtu - 60),
    ];
  });
