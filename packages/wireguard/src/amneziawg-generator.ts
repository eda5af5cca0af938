import { type AmneziaProfile, type AmneziaVersion, PROFILE_BOUNDS } from "./amneziawg.ts";

/** A whole number from 0 up to, but not including, `below`; e.g. crypto.randomInt. */
export type RandomBelow = (below: number) => number;

/** `ordinary` hides what the traffic is; the others also imitate another protocol, or keep small what mobile operators count. */
export const AMNEZIA_PRESETS = ["ordinary", "mobile", "dns", "quic"] as const;
export type AmneziaPreset = (typeof AMNEZIA_PRESETS)[number];

/** A new profile that passes `whyNotProfile`. */
export function generateProfile(version: AmneziaVersion, preset: AmneziaPreset, random: RandomBelow): AmneziaProfile {
  const between = (least: number, most: number) => least + random(most - least + 1);
  const own = version === "3.1" ? protectedHeaders(between) : paddedHeaders(between);
  return { version, parameters: { ...junk(preset, between), ...openingOf(preset, between), ...own } };
}

type Between = (least: number, most: number) => number;

function junk(preset: AmneziaPreset, between: Between): Record<string, string> {
  const isMobile = preset === "mobile";
  const jmin = isMobile ? between(30, 50) : between(40, 89);
  const jmax = jmin + (isMobile ? between(20, 80) : between(50, 250));
  return { jc: String(isMobile ? 3 : between(4, 6)), jmin: String(jmin), jmax: String(jmax) };
}

/**
 * What is sent before a handshake. Never only random bytes: some operators drop the whole burst. Mobile operators let a DNS reply
 * pass.
 */
function openingOf(preset: AmneziaPreset, between: Between): Record<string, string> {
  if (preset === "ordinary") return {};
  if (preset === "quic") return { i1: quicInitial(between) };
  return { i1: dnsReply(between) };
}

/** An A record of a well-known name, for a query nobody made (RFC 1035). */
function dnsReply(between: Between): string {
  const names = ["icloud.com", "yandex.ru", "vk.com", "mail.ru", "ozon.ru", "avito.ru"];
  const name = names[between(0, names.length - 1)] ?? "ya.ru";
  const labels = name.split(".").map((label) => hex([label.length]) + Buffer.from(label).toString("hex"));
  const seconds = hex([0, 0, between(0, 14), between(60, 255)]);
  return `<r 2><b 0x85800001000100000000${labels.join("")}0000010001c00c00010001${seconds}0004><r 4>`;
}

/** The first packet of a connection, 1,200 bytes (RFC 9000, sections 14.1 and 17.2.2). */
function quicInitial(between: Between): string {
  const flags = hex([0xc0 + between(0, 15)]);
  // No token; a two-byte length for the 1,182 bytes that follow. Some engines take at most 1,000 random bytes at once.
  return `<b 0x${flags}0000000108><r 8><b 0x0000449e><r 1000><r 182>`;
}

const hex = (bytes: number[]) => Buffer.from(bytes).toString("hex");

/** 2.0: each message has its own size, and its type is drawn from its own range. */
function paddedHeaders(between: Between): Record<string, string> {
  const { fixed, headerLeast, headerMost } = PROFILE_BOUNDS;
  // Plain WireGuard's sizes would give it away.
  const sizes = new Set<number>(Object.values(fixed));
  const padding = (of: number, least: number, most: number) => {
    const free = Array.from({ length: most - least + 1 }, (_, place) => least + place);
    const left = free.filter((bytes) => !sizes.has(of + bytes));
    const bytes = left[between(0, left.length - 1)] ?? least;
    sizes.add(of + bytes);
    return String(bytes);
  };
  const quarter = Math.floor((headerMost - headerLeast + 1) / 4);
  const order = [0, 1, 2, 3];
  const header = () => {
    const [place = 0] = order.splice(between(0, order.length - 1), 1);
    const first = headerLeast + place * quarter;
    const from = first + between(0, Math.floor(quarter / 2) - 1);
    return `${from}-${between(from + 1, first + quarter - 1)}`;
  };
  return {
    s1: padding(fixed.s1, 15, 149),
    s2: padding(fixed.s2, 15, 149),
    s3: padding(fixed.s3, 8, 55),
    // On every packet, so it costs throughput.
    s4: padding(fixed.s4, 4, 19),
    h1: header(),
    h2: header(),
    h3: header(),
    h4: header(),
  };
}

/** 3.1: the headers are encrypted, so the sizes carry the disguise: trailers on handshakes, padding inside data. */
function protectedHeaders(between: Between): Record<string, string> {
  const padding = String(between(12, 32));
  const key = hex([between(1, 255), ...Array.from({ length: 31 }, () => between(0, 255))]);
  return {
    s1: padding,
    s2: padding,
    s3: padding,
    s4: padding,
    h1: "1",
    h2: "2",
    h3: "3",
    h4: "4",
    header_protection_key: key,
    content_padding_addition: "10-100",
    rekey_after_time: "100-120",
    rekey_timeout: "3-7",
    reject_after_time: "150-180",
    keepalive_timeout: "5-15",
    max_handshake_attempts: "15-20",
    random_trailers: "1",
  };
}
