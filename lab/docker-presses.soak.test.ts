import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as lab from "./network.ts";
import { createConfig, invite, type Visitor } from "./panel.ts";
import { openRented, pressThreeSteps, type Rented } from "./press-steps.ts";

/* A server with its tunnels in a container, as specified: from three presses to a member's traffic. */
const CAP_NET_ADMIN = "0000000000001000";

let rented: Rented;
let admin: Visitor;

beforeAll(async () => {
  rented = await openRented();
});
afterAll(() => rented?.close());

test("three presses install Docker and put the tunnels into a container with one right", async () => {
  const { vps } = rented;
  ({ admin } = await pressThreeSteps(rented, "В контейнере (Docker)"));
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
  const { vps, panel } = rented;
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
