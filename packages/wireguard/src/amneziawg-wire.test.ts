import { createDecipheriv, createHash } from "node:crypto";
import { blake2s } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AmneziaProfile, amneziaValue, chainLength, rangeOf } from "./amneziawg.ts";
import { generateProfile } from "./amneziawg-generator.ts";
import { anyGenerated, anyGeneratedOf } from "./arbitraries.ts";
import { makeInitiator } from "./handshake.ts";
import { generateKeyPair } from "./keys.ts";
import type { TunnelParameters } from "./protocol.ts";
import { Dropped, makeResponder } from "./responder-double.ts";

const NOW = Date.parse("2026-11-22T09:00:00.123Z");
const server = generateKeyPair();
const panel = generateKeyPair();
const greeter = (profile: TunnelParameters) =>
  makeInitiator({ privateKey: panel.privateKey, interfaceKey: server.publicKey, profile });
const answering = (profile: TunnelParameters, isBusy = false) =>
  makeResponder(server, new Map([[panel.publicKey, null]]), { isBusy: () => isBusy, profile });
const last = (datagrams: Uint8Array[]) => Buffer.from(datagrams.at(-1)!);

/** What a device with `ours` gets from an interface with `theirs`; null if the interface drops it. */
function meet(ours: TunnelParameters, theirs: TunnelParameters, { isBusy = false } = {}) {
  const initiator = greeter(ours);
  try {
    return initiator.read(answering(theirs, isBusy)(last(initiator.initiate(NOW))), NOW);
  } catch (error) {
    if (error instanceof Dropped) return null;
    throw error;
  }
}

/** Each datagram of a handshake under load: our opening, and the messages by kind. */
function conversation({ parameters }: AmneziaProfile) {
  const initiator = greeter(parameters);
  const busy = answering(parameters, true);
  const opening = initiator.initiate(NOW).map((datagram) => Buffer.from(datagram));
  const first = opening.pop()!;
  const cookie = busy(first);
  expect(initiator.read(cookie, NOW)).toBe("cookie");
  const again = last(initiator.initiate(NOW + 1));
  const response = busy(again);
  expect(initiator.read(response, NOW)).toBe("accepted");
  return { opening, initiations: [first, again], cookie, response };
}

describe("an interface of AmneziaWG", () => {
  test("answers anyone with its profile, whichever was generated, also under load", () => {
    fc.assert(
      fc.property(anyGenerated, (profile) => {
        expect(meet(profile.parameters, profile.parameters)).toBe("accepted");
        conversation(profile);
      }),
    );
  });

  const anyOther = (name: string) => {
    if (name === "header_protection_key")
      return fc
        .uint8Array({ minLength: 32, maxLength: 32 })
        .map((bytes) => Buffer.from(bytes).toString("hex"))
        .filter((key) => !/^0*$/.test(key));
    if (name.startsWith("s")) return fc.integer({ min: 12, max: 149 }).map(String);
    return fc.integer({ min: 2 ** 31, max: 2 ** 32 - 1 }).map(String);
  };
  test.each(["s1", "s2", "h1", "h2", "header_protection_key"])("never answers anyone with another %s", (name) => {
    const ofVersions = name === "header_protection_key" ? anyGeneratedOf("3.1") : anyGenerated;
    fc.assert(
      fc.property(ofVersions, anyOther(name), ({ parameters }, other) => {
        fc.pre(other !== parameters[name]);
        expect(meet({ ...parameters, [name]: other }, parameters)).toBeNull();
      }),
    );
  });

  test.each(["s3", "h3", "header_protection_key"])("never seems busy to a device with another %s", (name) => {
    const ofVersions = name === "header_protection_key" ? anyGeneratedOf("3.1") : anyGenerated;
    fc.assert(
      fc.property(ofVersions, anyOther(name), ({ parameters }, other) => {
        fc.pre(other !== parameters[name]);
        expect(meet({ ...parameters, [name]: other }, parameters, { isBusy: true })).toBeNull();
      }),
    );
  });

  test("does not answer plain WireGuard, and plain WireGuard's answer is not accepted", () => {
    fc.assert(
      fc.property(anyGenerated, ({ parameters }) => {
        expect(meet({}, parameters)).toBeNull();
        expect(meet(parameters, {})).toBeNull();
      }),
    );
  });
});

describe("on the way", () => {
  test("no datagram starts like one of WireGuard's", () => {
    fc.assert(
      fc.property(anyGenerated, (profile) => {
        const { opening, initiations, cookie, response } = conversation(profile);
        for (const datagram of [...opening, ...initiations, cookie, response])
          expect([0, 1, 2, 3, 4]).not.toContain(datagram.readUInt32LE());
      }),
    );
  });

  // A generator never makes these WireGuard's own sizes (amneziawg.test.ts).
  test("each message is longer than WireGuard's by its own padding, and by nothing more without trailers", () => {
    fc.assert(
      fc.property(anyGeneratedOf("2.0"), (profile) => {
        const { initiations, cookie, response } = conversation(profile);
        const [s1 = 0, s2 = 0, s3 = 0] = ["s1", "s2", "s3"].map((name) => Number(profile.parameters[name]));
        expect(initiations.map(({ length }) => length)).toEqual([148 + s1, 148 + s1]);
        expect([response.length, cookie.length]).toEqual([92 + s2, 64 + s3]);
      }),
    );
  });

  // With Node's ChaCha20 and the offsets from the engine's source.
  test("an initiation has its padding, its own type under the interface's key, and a MAC over both", () => {
    fc.assert(
      fc.property(anyGenerated, (profile) => {
        const datagram = last(greeter(profile.parameters).initiate(NOW));
        const padding = Number(profile.parameters.s1);
        const key = Buffer.from(amneziaValue(profile, "header_protection_key"), "hex");
        let message = datagram.subarray(padding, padding + 148);
        if (profile.version === "3.1") {
          const iv = Buffer.concat([Buffer.alloc(4), datagram.subarray(0, 12)]);
          message = createDecipheriv("chacha20", key, iv).update(message);
        }
        const { from, to } = rangeOf(profile.parameters.h1!);
        const type = message.readUInt32LE();
        expect(type >= from && type <= to).toBe(true);
        const macKey = createHash("blake2s256")
          .update("mac1----")
          .update(Buffer.from(server.publicKey, "base64"))
          .digest();
        const mac1 = Buffer.from(blake2s(message.subarray(0, 116), { key: macKey, dkLen: 16 }));
        expect(message.subarray(116, 132).equals(mac1)).toBe(true);
        expect(message.subarray(132).equals(Buffer.alloc(16))).toBe(true);
      }),
    );
  });

  test("types are drawn from their range each time, and every padding is different", () => {
    const { parameters } = generateProfile("2.0", "ordinary", (below) => below - 1);
    const datagrams = Array.from({ length: 40 }, () => last(greeter({ ...parameters, h1: "7-8" }).initiate(NOW)));
    const padding = Number(parameters.s1);
    expect(new Set(datagrams.map((datagram) => datagram.readUInt32LE(padding)))).toEqual(new Set([7, 8]));
    expect(new Set(datagrams.map((datagram) => datagram.toString("hex", 0, padding))).size).toBe(40);
  });

  test("the profile's own packets come before each initiation, then its junk", () => {
    fc.assert(
      fc.property(anyGenerated, ({ parameters }) => {
        const initiator = greeter({ ...parameters, i4: "<t><b 0x0aff>" });
        for (const sent of [initiator.initiate(NOW), initiator.initiate(NOW)]) {
          const packets = sent.slice(0, -1).map((datagram) => Buffer.from(datagram));
          if (parameters.i1 !== undefined) expect(packets.shift()).toHaveLength(chainLength(parameters.i1) ?? 0);
          const [own, ...junk] = packets;
          expect(own?.toString("hex")).toBe(`${Math.floor(NOW / 1_000).toString(16)}0aff`);
          expect(junk).toHaveLength(Number(parameters.jc));
          for (const { length } of junk) {
            expect(length).toBeGreaterThanOrEqual(Number(parameters.jmin));
            expect(length).toBeLessThanOrEqual(Number(parameters.jmax));
          }
        }
      }),
    );
  });

  test("junk with swapped bounds has the size meant as the minimum", () => {
    const sent = greeter({ jc: "3", jmin: "90", jmax: "40" }).initiate(NOW);
    expect(sent.map(({ length }) => length)).toEqual([90, 90, 90, 148]);
  });

  test("a custom packet contains what its tags say, new each time", () => {
    const once = () => greeter({ i2: "<b 0x00fE><rc 60><rd 40><r 30><t><b 0x7f>" }).initiate(NOW)[0]!;
    const [packet, another] = [Buffer.from(once()), Buffer.from(once())];
    expect(packet).toHaveLength(137);
    expect([packet[0], packet[1], packet[136]]).toEqual([0x00, 0xfe, 0x7f]);
    expect(packet.toString("latin1", 2, 102)).toMatch(/^[a-zA-Z]{60}[0-9]{40}$/);
    expect(packet.readUInt32BE(132)).toBe(Math.floor(NOW / 1_000));
    expect(packet.subarray(2, 132).equals(another.subarray(2, 132))).toBe(false);
    for (const [from, to] of [
      [2, 62],
      [62, 102],
      [102, 132],
    ] as const)
      expect(new Set(packet.subarray(from, to)).size).toBeGreaterThan(5);
  });
});

describe("trailers", () => {
  const { parameters } = generateProfile("3.1", "ordinary", (below) => below - 1);
  const without = { ...parameters, random_trailers: "0" };
  const reply = (ours: TunnelParameters, theirs: TunnelParameters) => {
    const initiator = greeter(ours);
    return { initiator, datagram: answering(theirs)(last(initiator.initiate(NOW))) };
  };

  test("have any length that keeps the message below a small data packet", () => {
    const lengths = Array.from({ length: 200 }, () => last(greeter(parameters).initiate(NOW)).length);
    const size = 148 + Number(parameters.s1);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(size);
    expect(Math.max(...lengths)).toBeLessThan(500);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeGreaterThan((500 - size) / 2);
    // A message that is already larger gets none.
    expect(last(greeter({ ...parameters, s1: "400" }).initiate(NOW))).toHaveLength(548);
  });

  test("are optional where they are on, and forbidden where they are off", () => {
    const size = 92 + Number(parameters.s2);
    const long = (datagram: Buffer, more: number) => Buffer.concat([datagram.subarray(0, size), Buffer.alloc(more)]);
    for (const bytes of [0, 1, 700]) {
      const { initiator, datagram } = reply(parameters, parameters);
      expect(initiator.read(datagram.subarray(0, size - 1), NOW)).toBeNull();
      expect(initiator.read(long(datagram, bytes), NOW)).toBe("accepted");
    }
    const { initiator, datagram } = reply(without, parameters);
    expect(initiator.read(long(datagram, 1), NOW)).toBeNull();
    expect(initiator.read(long(datagram, 0), NOW)).toBe("accepted");
  });

  test("make an interface without them drop the handshake", () => {
    const initiator = greeter(parameters);
    const short = last(initiator.initiate(NOW)).subarray(0, 148 + Number(parameters.s1));
    expect(() => answering(without)(Buffer.concat([short, Buffer.alloc(1)]))).toThrow("no initiation");
    expect(initiator.read(answering(without)(short), NOW)).toBe("accepted");
  });
});
