import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { connectSsh } from "../apps/server/src/hosts/ssh/connection.ts";
import { until } from "./network.ts";
import { startVps, type VpsOptions } from "./vps.ts";

const CAP_SYS_TIME = 25n;

async function freshVps(options: VpsOptions) {
  const vps = await startVps(options);
  onTestFinished(vps.stop);
  const signIn = (username: string, password: string) =>
    connectSsh({ ...vps, username, hostKey: vps.fingerprint, login: { password }, generation: null }).then(
      (connection) => {
        connection.end();
        return "in";
      },
      (error) => error.problem,
    );
  return { vps, signIn };
}

test("it is a Debian 12 that accepts root's password, and after a power cut has its disk and nothing else", async () => {
  const { vps, signIn } = await freshVps({ password: "right" });
  expect(await signIn("root", "right")).toBe("in");
  expect(await signIn("root", "wrong")).toBe("login_refused");
  expect(await vps.exec("systemctl is-system-running --wait; . /etc/os-release; echo $ID $VERSION_ID")).toBe(
    "running\ndebian 12\n",
  );
  // Nothing is tried here, since the machine that runs the lab must not be changed from inside.
  expect(
    await vps.exec("[ -w /proc/sys/kernel/panic ] || echo no; [ -w /proc/sys/net/ipv4/ip_forward ] && echo yes"),
  ).toBe("no\nyes\n");
  const [ofFirst, ofExec] = (await vps.exec("sed -n 's/CapBnd:\\t//p' /proc/1/status /proc/self/status")).split("\n");
  expect((BigInt(`0x${ofFirst}`) >> CAP_SYS_TIME) & 1n).toBe(0n);
  expect(ofExec).toBe(ofFirst);

  await vps.exec("touch /root/kept /run/lost && systemd-run --quiet sleep 300");
  await vps.exec("ip rule add pref 77 lookup main");
  await vps.reboot();
  expect(await signIn("root", "right")).toBe("in");
  expect(await vps.exec("ls /root; ls /run/lost 2>/dev/null; pgrep -x sleep; ip rule show pref 77")).toBe("kept\n");
});

test("without /dev/net/tun it accepts a user who may use sudo, and not root", async () => {
  const { vps, signIn } = await freshVps({ password: "right", sudoer: "ops", hasTun: false });
  expect(await signIn("root", "right")).toBe("login_refused");
  expect(await signIn("ops", "right")).toBe("in");
  expect(await vps.exec("ls /dev/net")).toBe("");
  expect(await vps.exec("runuser -u ops -- sudo -S id -un", { stdin: "right\n" })).toBe("root\n");
  await expect(vps.exec("runuser -u ops -- sudo -n id")).rejects.toThrow("password is required");
});

test("nothing of it remains after a killed run", async () => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const script = `import { startVps } from ${JSON.stringify(new URL("./vps.ts", import.meta.url).href)};
    const { network } = await startVps({ password: "right" });
    console.log(network.host.pid);`;
  const run = spawn(process.execPath, ["--import", tsx, "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  run.stdout.on("data", (piece) => {
    output += piece;
  });
  await until("it runs", () => output.includes("\n"), 60_000);
  const pid = Number(output);
  expect(existsSync(`/proc/${pid}`)).toBe(true);
  run.kill("SIGKILL");
  await until("its processes are gone", () => !existsSync(`/proc/${pid}`));
});
