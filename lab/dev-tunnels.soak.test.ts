import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SAMPLE_PASSWORD } from "../apps/server/testing/sample-club.ts";
import { ROOT } from "../scripts/command.mjs";
import * as lab from "./network.ts";
import { createConfig, type LabPanel, startPanel } from "./panel.ts";

/* `npm run dev` with the developer's own machine as the server. */
let network: lab.LabNetwork;
let panel: LabPanel;

beforeAll(async () => {
  network = await lab.makeNetwork();
  // The repository's own data stays unchanged.
  await mkdir(join(ROOT, "data"), { recursive: true });
  await network.host.exec("mount", ["-t", "tmpfs", "tmpfs", join(ROOT, "data")]);
  [panel] = await Promise.all([
    startPanel(network, network.host, { program: "scripts/dev.mjs", env: { DEV_LOCAL_SERVER: "on" } }),
    lab.startServices(network.target, { tcp: [80] }),
  ]);
});
afterAll(() => network?.close());

test("with DEV_LOCAL_SERVER=on a device of the sample club connects to this machine", async () => {
  const credentials = { username: "marina", password: SAMPLE_PASSWORD };
  const member = await lab.until("the sample club is there", async () => {
    const signedIn = await panel
      .guest()
      .ask("POST /auth/login", { body: credentials })
      .catch(() => null);
    return signedIn && panel.as(signedIn.token);
  });
  const { id } = await lab.until("she has room for a device", () => createConfig(member, "real").catch(() => null));
  await lab.tunnelUp(network, network.clients[0]!, await member.download(id));
  const answer = await lab.until("the device reaches the target", () =>
    lab.fetchFrom(network.clients[0]!, `http://${lab.TARGET_ADDRESS}/`),
  );
  expect(answer).toContain(lab.HOST_SECOND_ADDRESS);
});
