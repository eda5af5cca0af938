import { beforeEach, describe, expect, test } from "vitest";
import { type HandshakeKeys, type Initiator, makeInitiator } from "./handshake.ts";
import type { PresharedKey, PublicKey } from "./key-text.ts";
import { generateKeyPair, generatePresharedKey } from "./keys.ts";
import { Dropped, makeResponder } from "./responder-double.ts";

const NOW = Date.parse("2026-11-22T09:00:00.123Z");
const server = generateKeyPair();
const panel = generateKeyPair();
const keys: HandshakeKeys = { privateKey: panel.privateKey, interfaceKey: server.publicKey };
const knows = (presharedKey: PresharedKey | null = null) => new Map([[panel.publicKey, presharedKey]]);
let initiator: Initiator;
beforeEach(() => {
  initiator = makeInitiator(keys);
});
const hello = (now = NOW) => {
  const [datagram, ...more] = initiator.initiate(now);
  expect(more).toEqual([]);
  return Buffer.from(datagram!);
};

describe("an interface that answers is believed", () => {
  test.each([
    ["without a preshared key", null],
    ["with one", generatePresharedKey()],
  ])("%s", (_, presharedKey) => {
    const answer = makeResponder(server, knows(presharedKey));
    initiator = makeInitiator({ ...keys, presharedKey });
    expect(initiator.read(answer(hello()), NOW)).toBe("accepted");
  });

  test("again and again, even if the clock stops or goes back", () => {
    const answer = makeResponder(server, knows());
    for (const now of [NOW, NOW, NOW - 3_600_000, NOW + 1])
      expect(initiator.read(answer(hello(now)), now)).toBe("accepted");
  });

  test("each initiation is new, and states its time in TAI64N", () => {
    expect(hello().equals(hello())).toBe(false);
    const answer = makeResponder(server, knows());
    answer(hello(NOW));
    const after = initiator.latest();
    // A restarted panel: an initiation that is not later looks like a replay to the interface.
    initiator = makeInitiator(keys);
    expect(() => answer(hello(NOW))).toThrow("replay");
    // Unless it knows the last time it named, whatever its clock says.
    initiator = makeInitiator({ ...keys, after });
    expect(initiator.read(answer(hello(NOW - 3_600_000)), NOW)).toBe("accepted");
  });
});

describe("a busy interface", () => {
  test("asks for a proof of the address, and accepts the next initiation, which has it", () => {
    const answer = makeResponder(server, knows(), { isBusy: () => true });
    expect(initiator.read(answer(hello()), NOW)).toBe("cookie");
    expect(initiator.read(answer(hello(NOW + 5)), NOW + 5)).toBe("accepted");
  });

  test("is not sent a proof that has expired", () => {
    const answer = makeResponder(server, knows(), { isBusy: () => true });
    initiator.read(answer(hello()), NOW);
    expect(
      hello(NOW + 119_999)
        .subarray(132)
        .equals(Buffer.alloc(16)),
    ).toBe(false);
    expect(
      hello(NOW + 120_000)
        .subarray(132)
        .equals(Buffer.alloc(16)),
    ).toBe(true);
  });

  test("is not believed if the proof is for another initiation, altered, or from somebody else", () => {
    const answer = makeResponder(server, knows(), { isBusy: () => true });
    const early = answer(hello());
    const [late, reply] = [hello(NOW + 1), answer(hello(NOW + 2))];
    expect([late.length, initiator.read(early, NOW)]).toEqual([148, null]);
    for (const place of [4, 8, 32, 63]) expect(initiator.read(flipped(reply, place), NOW)).toBeNull();
    const stranger = makeResponder(generateKeyPair(), knows(), { isBusy: () => true });
    expect(() => stranger(hello())).toThrow(Dropped);
    expect(hello().subarray(132).equals(Buffer.alloc(16))).toBe(true);
  });
});

describe("a datagram that is not an answer to us is ignored", () => {
  test("one altered in any byte that matters", () => {
    const message = hello();
    const reply = makeResponder(server, knows())(message);
    // After that comes mac2, which means nothing to someone who sent no cookie.
    for (let place = 0; place < 76; place += 1)
      expect([place, initiator.read(flipped(reply, place), NOW)]).toEqual([place, null]);
    expect(initiator.read(reply, NOW)).toBe("accepted");
  });

  test("one that is short, long, empty or of another kind", () => {
    const reply = makeResponder(server, knows())(hello());
    const odd = [
      Buffer.alloc(0),
      reply.subarray(0, 91),
      Buffer.concat([reply, Buffer.alloc(1)]),
      Buffer.alloc(92),
      Buffer.alloc(64),
      hello(),
    ];
    for (const datagram of odd) expect(initiator.read(datagram, NOW)).toBeNull();
  });

  test("one to an earlier initiation, a repeated one, and one before any initiation", () => {
    const answer = makeResponder(server, knows());
    const first = answer(hello());
    const second = answer(hello(NOW + 1));
    expect(initiator.read(first, NOW)).toBeNull();
    expect(initiator.read(second, NOW)).toBe("accepted");
    expect(initiator.read(second, NOW)).toBeNull();
    expect(makeInitiator(keys).read(second, NOW)).toBeNull();
  });

  test("one from somebody without the interface's key, or with another preshared key", () => {
    const impostor = { privateKey: generateKeyPair().privateKey, publicKey: server.publicKey };
    expect(() => makeResponder(impostor, knows())(hello())).toThrow("altered");
    const reply = makeResponder(server, knows(generatePresharedKey()))(hello());
    expect(initiator.read(reply, NOW)).toBeNull();
  });

  test("one with a key that yields the same secret with everybody", () => {
    const reply = makeResponder(server, knows())(hello());
    reply.fill(0, 12, 44);
    expect(initiator.read(reply, NOW)).toBeNull();
  });
});

test("an interface that does not have us as a peer, or is another, does not answer", () => {
  expect(() => makeResponder(server, new Map())(hello())).toThrow("nobody's key");
  expect(() => makeResponder(generateKeyPair(), knows())(hello())).toThrow("mac1");
});

test("a key that no interface can have is refused at once", () => {
  const weak = makeInitiator({
    ...keys,
    interfaceKey: Buffer.from([1, ...Array(31).fill(0)]).toString("base64") as PublicKey,
  });
  expect(() => weak.initiate(NOW)).toThrow(RangeError);
});

function flipped(datagram: Buffer, place: number): Buffer {
  const copy = Buffer.from(datagram);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return copy;
}
