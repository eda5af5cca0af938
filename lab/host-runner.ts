import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { amneziawgBy } from "@krug/wireguard/amneziawg";
import { wireguardBy } from "@krug/wireguard/protocol";
import { makeEngineHost, makeHost } from "../apps/server/src/hosts/driver.ts";
import type { Host } from "../apps/server/src/hosts/host.ts";
import { localMachine, localMachineWith, localNetwork } from "../apps/server/src/hosts/local-machine.ts";

/*
 * The local driver as a program, so a test can run it inside a lab machine: a line of JSON `{ id, method, params }` on
 * stdin, a line `{ id, answer, tookMs }` or `{ id, error }` on stdout. Arguments: socket | program, or a folder for userspace
 * networking, and where the panel's engine is, if it has one.
 */
const [, , way = "socket", engine] = process.argv;
const control = way === "program" ? "program" : "socket";
const host =
  way.startsWith("/") && engine !== undefined
    ? makeEngineHost(localMachine, { engine, folder: way, own: localNetwork })
    : makeHost(
        localMachineWith(null, fileURLToPath(new URL("../apps/server/src/hosts/ssh/resolver.sh", import.meta.url))),
        {
          control,
          club: async () => process.env.LAB_CLUB ?? null,
          ...(engine !== undefined && { amneziawg: amneziawgBy(engine), wireguard: wireguardBy(engine) }),
        },
      );

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line) as { id: number; method: keyof Host; params: never };
  const beganAt = performance.now();
  // Not awaited: parallel requests must reach the driver in parallel.
  Promise.resolve(host[method](params)).then(
    (answer) => console.log(JSON.stringify({ id, answer, tookMs: performance.now() - beganAt })),
    (error: Error) => console.log(JSON.stringify({ id, error: `${error.name}: ${error.message}` })),
  );
}
