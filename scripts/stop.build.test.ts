import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createConnection, type Socket } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Panel, startPanel } from "../e2e/panel.ts";

const ADMIN = { ADMIN_USERNAME: "founder", ADMIN_PASSWORD: "correct horse battery" };

async function started(env: Record<string, string> = {}): Promise<Panel> {
  const panel = await startPanel({ ...ADMIN, ...env });
  onTestFinished(() => panel.remove());
  return panel;
}

async function signIn(panel: Panel): Promise<string> {
  const answer = await fetch(`${panel.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: ADMIN.ADMIN_USERNAME, password: ADMIN.ADMIN_PASSWORD }),
  });
  return ((await answer.json()) as { token: string }).token;
}

/** After 100 ms of silence the panel considers a connection idle. */
const FAR_FROM_SILENT_MS = 50;

/** A keep-alive connection that asks again after every answer, until the panel announces that it closes it. */
async function askWithoutPause(panel: Panel, token: string) {
  const socket = createConnection(Number(new URL(panel.url).port), "127.0.0.1");
  const text = `GET /api/vpn/configs HTTP/1.1\r\nHost: ${new URL(panel.url).host}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  let answered = 0;
  try {
    for (let last = false; !last; answered++) {
      const { status, closes } = await exchange(socket, text);
      if (status !== 200) throw new Error(`answered ${status}`);
      last = closes;
    }
  } finally {
    socket.destroy();
  }
  return answered;
}

/** @throws if the connection ends before the whole answer has arrived */
function exchange(socket: Socket, text: string): Promise<{ status: number; closes: boolean }> {
  return new Promise((resolve, reject) => {
    let heard = "";
    const finish = (act: () => void) => {
      socket.removeAllListeners();
      act();
    };
    socket.on("data", (bytes) => {
      heard += bytes.toString("latin1");
      const [head = "", body] = heard.split("\r\n\r\n", 2);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
      if (body === undefined || body.length < length) return;
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]);
      finish(() => resolve({ status, closes: /^connection: close/im.test(head) }));
    });
    socket.on("error", (error) => finish(() => reject(error)));
    socket.on("close", () => finish(() => reject(new Error(`cut after: ${heard.slice(0, 100)}`))));
    socket.write(text);
  });
}

/** Sends the second half of a request's body when the caller says so. */
function inHalves(panel: Panel, body: string) {
  const socket = createConnection(Number(new URL(panel.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  const half = Math.floor(body.length / 2);
  const head = `POST /api/auth/login HTTP/1.1\r\nHost: ${new URL(panel.url).host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const answer = exchange(socket, head + body.slice(0, half));
  answer.catch(() => {}); // a request that never ends is cut off eventually
  return { answer, send: () => socket.write(body.slice(half)) };
}

const LOGIN = JSON.stringify({ username: ADMIN.ADMIN_USERNAME, password: ADMIN.ADMIN_PASSWORD });

/* A panel that exits with 0 has completed the steps of its stop by its own clock, within 5 s (end-work.test.ts). */

test("SIGTERM under load ends the panel with 0 within its time limit: it answers open requests, ends streams and closes connections", async () => {
  const panel = await started();
  const token = await signIn(panel);
  const streams = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(`${panel.url}/api/events`, { headers: { authorization: `Bearer ${token}` } }),
    ),
  );
  const heard = streams.map((stream) => stream.text());
  const busy = Promise.allSettled(Array.from({ length: 20 }, () => askWithoutPause(panel, token)));
  const idle = createConnection(Number(new URL(panel.url).port), "127.0.0.1");
  await exchange(idle, `GET /health HTTP/1.1\r\nHost: x\r\n\r\n`);
  const late = inHalves(panel, LOGIN);
  const standstill = monitorEventLoopDelay({ resolution: 5 });
  standstill.enable();
  await wait(300);

  const end = panel.stop();
  await wait(400);
  late.send();
  expect(await end).toBe(0);
  // Each got an answer to its last request, and was told that it was the last. On a starved machine the clients themselves pause,
  // and look idle.
  const ends = await busy;
  if (standstill.max < FAR_FROM_SILENT_MS * 1e6)
    for (const answered of ends) expect(answered).toMatchObject({ status: "fulfilled" });
  expect(await late.answer).toEqual({ status: 200, closes: true });
  for (const text of await Promise.all(heard)) expect(text).toMatch(/^retry:2\d{3}\n/);
});

test("neither a request that never ends nor a Telegram that never answers keeps the panel running", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close().closeAllConnections());
  const { port } = silent.address() as AddressInfo;
  const panel = await started({ TELEGRAM_BOT_TOKEN: "1:token", TELEGRAM_API_ROOT: `http://127.0.0.1:${port}` });
  inHalves(panel, LOGIN);
  await wait(300);
  expect(await panel.stop()).toBe(0);
});
