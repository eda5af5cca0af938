import { createInterface } from "node:readline";
import { amneziawgBy } from "@krug/wireguard/amneziawg";
import { makeHost } from "../apps/server/src/hosts/driver.ts";
import type { Host } from "../apps/server/src/hosts/host.ts";
import { localMachine } from "../apps/server/src/hosts/local-machine.ts";

/*
 * The local driver as a program, so a test can run it inside a lab machine: a line of JSON `{ id, method, params }` on
 * stdin, a line `{ id, answer, tookMs }` or `{ id, error }` on stdout. Arguments: socket | program, and where AmneziaWG's engine
 * is, if its tunnels are to be driven.
 */
const control = process.argv[2] === "program" ? "program" : "socket";
const engine = process.argv[3];
const host = makeHost(localMachine, { control, ...(engine && { amneziawg: amneziawgBy(engine) }) });

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as { id: number; method: keyof Host; params: never };
  const beganAt = performance.now();
  // Not awaited: parallel requests must reach the driver in parallel.
  Promise.resolve(host[method](params)).then(
    (answer) => console.log(JSON.stringify({ id, answer, tookMs: performance.now() - beganAt })),
    (error: Error) => console.log(JSON.stringify({ id, error: `${error.name}: ${error.message}` })),
  );
}
