import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that a system assigns by itself: no other program gets it until it is used. */
const FROM = 20_000;
const TO = 32_000;
const TRIES = 20;

/**
 * A loopback port that is free at this moment.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (let left = TRIES; ; left--) {
    const port = randomInt(FROM, TO);
    const error = await tried(port);
    if (error === null) return port;
    if (left === 0) throw error;
  }
}

/** @param {number} port @returns {Promise<Error | null>} */
const tried = (port) =>
  new Promise((resolve) => {
    const server = createServer().once("error", resolve);
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(null)));
  });
