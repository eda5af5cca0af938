import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Readable } from "node:stream";
import { contract } from "@krug/contract/api";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { type Club, type Person, startClub } from "../../../testing/start-club.ts";
import { makePlaces } from "./large-bodies.ts";

const MESSAGE_BYTES = contract.support.send.bodyLimit;

let club: Club;
beforeAll(async () => {
  club = await startClub({ localServer: "off" });
});
afterAll(() => club.stop());

/** The most CPU time that one turn of the event loop took. Wall time would include what else the machine does. */
function watchTurns() {
  let longest = 0;
  let before = process.cpuUsage();
  let isOver = false;
  const note = () => {
    const { user, system } = process.cpuUsage(before);
    before = process.cpuUsage();
    longest = Math.max(longest, user + system);
    if (!isOver) setImmediate(note);
  };
  setImmediate(note);
  return {
    longestMs() {
      isOver = true;
      return longest / 1_000;
    },
  };
}

/** A body of almost the limit, filled with `unit`. */
const hostile = (unit: string) => Buffer.from(`[${unit.repeat(Math.floor((MESSAGE_BYTES - 16) / unit.length))}0]`);

test.each([
  ["empty lists", hostile("[],")],
  ["numbers", hostile("1,")],
  ["empty objects", hostile("{},")],
  ["lists in lists", Buffer.from("[".repeat(MESSAGE_BYTES - 16))],
  ["nothing but spaces", Buffer.from(`${" ".repeat(MESSAGE_BYTES - 16)}[]`)],
])("27 MB of %s are refused while the panel answers others, and cost almost no memory", async (_, body) => {
  const boris = await club.member();
  const before = process.memoryUsage();
  const turns = watchTurns();
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss - before.rss);
  }, 20);
  const sent = club.as(boris).send("POST", "/api/support/messages", body);
  let answered = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      expect((await club.guest.send("GET", "/api/maintenance")).status).toBe(200);
      answered += 1;
    }
  })();
  const answer = await sent;
  isOver = true;
  await others;
  clearInterval(watching);
  expect(answer).toMatchObject({ status: 400, code: expect.stringMatching(/^request\.(invalid|malformed)$/) });
  expect(answered).toBeGreaterThan(0);
  // This took 13 seconds and 2 GB when bodies were parsed first and checked afterwards.
  expect(turns.longestMs()).toBeLessThan(1_500);
  expect(most).toBeLessThan(8 * MESSAGE_BYTES);
});

/** Starts a request and leaves it unfinished. */
async function begin(person: Person, length: number | "unknown", start = '{"content":"'): Promise<Socket> {
  const { hostname, port, host } = new URL(club.origin);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  const size =
    length === "unknown"
      ? `Transfer-Encoding: chunked\r\n\r\n${start.length.toString(16)}\r\n${start}\r\n`
      : `Content-Length: ${length}\r\n\r\n${start}`;
  socket.write(
    `POST /api/support/messages HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${person.token}\r\nContent-Type: application/json\r\n${size}`,
  );
  return socket;
}
const said = async (socket: Socket) => String((await once(socket, "data"))[0]);
/** 140 kB, more than a message may hold. */
const large = { content: "х".repeat(70_000) };
const sendLarge = (person: Person) => club.as(person).send("POST", "/api/support/messages", large);
/** The same, but returns once the panel has admitted it: a later request could otherwise overtake it. */
async function hold(person: Person, length: number | "unknown"): Promise<Socket> {
  for (;;) {
    const socket = await begin(person, length);
    let isRefused = false;
    socket.once("data", () => {
      isRefused = true;
    });
    while (!isRefused) if ((await sendLarge(person)).status === 429) return socket;
  }
}
/** The place is free again: any refusal now is about the content. */
const isFree = (person: Person) =>
  vi.waitFor(async () => expect((await sendLarge(person)).code).toBe("support.message_too_long"), 10_000);

test("a member sends one large body at a time, whatever length it declares, and small ones still pass", async () => {
  const [boris, vera] = [await club.member(), await club.member()];
  for (const length of [5_000_000, "unknown"] as const) {
    const socket = await hold(boris, length);
    const refused = await sendLarge(boris);
    expect(refused).toMatchObject({ status: 429, code: "request.large_busy" });
    expect(refused.headers.get("retry-after")).toBe("3");
    expect(refused.message).toBe("Панель ещё принимает другие большие запросы. Попробуйте через 3 с.");
    expect((await club.as(boris).send("POST", "/api/support/messages", { content: "small" })).status).toBe(201);
    expect((await sendLarge(vera)).code).toBe("support.message_too_long");
    socket.destroy();
    await isFree(boris);
    club.clock.advance(60_000);
  }
});

test("two large bodies are admitted at a time, and a third once one is done, refused or gone", async () => {
  const [boris, vera, pavel] = [await club.member(), await club.member(), await club.member()];
  const fromBoris = await hold(boris, 300_000);
  const fromVera = await hold(vera, 300_000);
  expect((await sendLarge(pavel)).code).toBe("request.large_busy");
  // Done: the rest is not the end of a JSON text.
  fromBoris.write("x".repeat(300_000 - 12));
  expect(await said(fromBoris)).toMatch(/^HTTP\/1.1 400 /);
  await isFree(pavel);
  const again = await hold(boris, 300_000);
  expect((await sendLarge(pavel)).code).toBe("request.large_busy");
  fromVera.destroy();
  await isFree(pavel);
  again.destroy();
  await isFree(boris);
});

test("a body of the wrong media type, one that is too long, and a request behind an endless one hold no place", async () => {
  const boris = await club.member();
  const as = club.as(boris);
  const sent = await as.send("POST", "/api/support/messages", "x".repeat(200_000), { "content-type": "text/plain" });
  expect(sent.code).toBe("request.media_type");
  const tooLong = await begin(boris, MESSAGE_BYTES + 1);
  expect(await said(tooLong)).toMatch(/^HTTP\/1.1 413 /);
  const endless = await begin(boris, "unknown");
  const piece = `10000\r\n${" ".repeat(65_536)}\r\n`;
  Readable.from(
    (function* () {
      for (;;) yield piece;
    })(),
  ).pipe(endless);
  // Cut off mid-body: whether the sender still reads the refusal depends on its network.
  await new Promise((resolve) => endless.once("close", resolve));
  await isFree(boris);
  // Queued behind an endless stream on the same connection: it never gets an answer.
  const { hostname, port, host } = new URL(club.origin);
  const piped = connect(Number(port), hostname);
  await once(piped, "connect");
  const head = `Host: ${host}\r\nAuthorization: Bearer ${boris.token}\r\n`;
  piped.write(`GET /api/events HTTP/1.1\r\n${head}\r\n`);
  expect(await said(piped)).toMatch(/^HTTP\/1.1 200 /);
  piped.write(
    `POST /api/support/messages HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 300000\r\n\r\n[`,
  );
  await vi.waitFor(async () => expect((await sendLarge(boris)).status).toBe(429));
  piped.destroy();
  await isFree(boris);
});

test("releasing a place twice does not take it from its next holder", () => {
  const take = makePlaces(2);
  const first = take("boris");
  first?.();
  const second = take("boris");
  first?.();
  expect(take("boris")).toBeNull();
  second?.();
  expect(take("boris")).not.toBeNull();
});
