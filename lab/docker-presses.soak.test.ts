import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../e2e/browser.ts";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, startPanel, type Visitor } from "./panel.ts";
import { ADMIN, PASSWORD, pressThreeSteps } from "./press-steps.ts";
import { startVps, type Vps } from "./vps.ts";

/* A server with its tunnels in a container, as specified: from three presses to a member's traffic. */
const CAP_NET_ADMIN = "0000000000001000";

let vps: Vps;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let panel: LabPanel;
let admin: Visitor;

beforeAll(async () => {
  [vps, browser] = await Promise.all([startVps({ password: PASSWORD }), openBrowser()]);
  [panel] = await Promise.all([
    startPanel(vps.network, vps.network.internet, { env: { LOCAL_SERVER: "off", ...ADMIN } }),
    lab.startServices(vps.network.target, { tcp: [80] }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await vps?.stop();
});

test("three presses install Docker and put the tunnels into a container with one right", async () => {
  ({ admin } = await pressThreeSteps(browser, panel, vps, "В контейнере (Docker)"));
  expect(await admin.ask("GET /admin/servers")).toMatchObject([
    { tunnelsIn: "docker", status: "connected", isSetupComplete: true, needsSetup: false },
  ]);
  const format =
    "{{.State.Running}} {{.HostConfig.NetworkMode}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.RestartPolicy.Name}}";
  expect(await vps.exec(`docker inspect --format '${format}' krug-tunnels`)).toBe("true host true unless-stopped\n");
  const rights = await vps.exec(`grep -h CapBnd /proc/$(docker inspect --format '{{.State.Pid}}' krug-tunnels)/status`);
  expect(rights).toContain(CAP_NET_ADMIN);
  expect(await vps.exec("type -P wg wireguard-go || echo none"), "the machine itself has no such program").toBe(
    "none\n",
  );
  expect(await vps.exec("ip -o link show type bridge; nft list tables"), "Docker opens nothing of its own").toBe(
    "table inet krug\n",
  );
});

test("a member's device connects through it with only the file, and no longer once its config is deleted", async () => {
  const { member: anna } = await invite(panel, admin, "anna");
  const { id, state } = await createConfig(anna, "laptop");
  expect(state).toBe("applied");
  const file = await anna.download(id);
  const key = publicKeyOf(parseConfig(file).privateKey!);
  const inContainer = {
    attempt: (...[program, args = []]: Parameters<typeof vps.network.host.attempt>) =>
      vps.network.host.attempt("docker", ["exec", "krug-tunnels", program, ...args]),
  };
  const devices = () => lab.devicesOn(inContainer, "wg0");
  expect(await devices()).toEqual([key]);
  const client = vps.network.clients[0]!;
  const reaches = async () => lab.fetchFrom(client, `http://${lab.TARGET_ADDRESS}/`);
  await lab.tunnelUp(vps.network, client, file);
  expect(await lab.until("the device reaches the target", reaches, 60_000)).toContain(lab.HOST_SECOND_ADDRESS);
  await anna.ask("DELETE /vpn/configs/{id}", { params: { id } });
  expect(await devices()).toEqual([]);
});
