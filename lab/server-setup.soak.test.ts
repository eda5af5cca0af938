import { afterAll, expect, test } from "vitest";
import * as lab from "./network.ts";
import { createConfig, invite, setUpAdmin, startPanel } from "./panel.ts";
import { doStep, linesOf, STEPS } from "./set-up.ts";
import { startVps, type Vps } from "./vps.ts";

/* What may go wrong between an empty machine and a working server. */
const PASSWORD = "root's own password";
/** What set-up puts on a machine. */
const OURS = "/usr/local/lib/krug /var/lib/krug /etc/sudoers.d/krug /root/.ssh/authorized_keys";

const servers: Vps[] = [];
const rented = async (options: Parameters<typeof startVps>[0]) => {
  const vps = await startVps(options);
  servers.push(vps);
  const panel = await startPanel(vps.network, vps.network.internet, { env: { LOCAL_SERVER: "off" } });
  const { admin, token } = await setUpAdmin(panel);
  const credentials = { host: lab.HOST_ADDRESS, port: 22, username: options.sudoer ?? "root" };
  const add = (password: string) =>
    admin.ask("POST /admin/servers", {
      body: { name: "Осло", tunnelsIn: "system", credentials: { ...credentials, password } },
    });
  return { vps, admin, token, panel, add, credentials };
};
afterAll(async () => {
  for (const vps of servers) await vps.stop();
});

test("a wrong password is reported and can be corrected; without /dev/net/tun nothing is installed", async () => {
  const { vps, admin, add, credentials } = await rented({ password: PASSWORD, sudoer: "ops", hasTun: false });
  const { id, ...server } = await add("not the password");
  expect(server).toMatchObject({ status: "error", problem: "login_refused", fingerprint: vps.fingerprint });
  const right = await admin.ask("PUT /admin/servers/{id}", {
    params: { id },
    body: { credentials: { ...credentials, password: PASSWORD } },
  });
  expect(right).toMatchObject({ status: "connected", problem: null });
  expect(right.unfit).toMatchObject({ failure: "no_tun" });
  expect(await doStep(admin, id, "install-docker")).toMatchObject({ success: false, failure: "no_tun" });
  expect(await vps.exec(`ls -d ${OURS} 2>/dev/null || true`)).toBe("");
  expect(await vps.exec("command -v wg nft || echo none")).toBe("none\n");
});

/** Takes the package lock as apt and dpkg do, by fcntl, until it is released or the machine has ended. */
async function holdPackages(vps: Vps) {
  const hold =
    'open my $file, ">", "/var/lib/dpkg/lock-frontend" or die; my $lock = pack "s s x4 q q i x4", F_WRLCK, 0, 0, 0, 0; fcntl $file, F_SETLK, $lock or die; $| = 1; print "$$\n"; sleep 600';
  await vps.exec(`setsid perl -MFcntl -e '${hold}' > /run/holder 2>&1 < /dev/null &`);
  const pid = await lab.until("the lock is held", async () => Number(await vps.exec("cat /run/holder")) || null);
  // Otherwise the test would prove nothing.
  expect(await vps.exec("LC_ALL=C dpkg --configure -a 2>&1 || true")).toContain("locked by another process");
  return { pid, release: () => vps.exec(`kill ${pid}`) };
}

test("another system is refused; a lock is waited for; a killed step is repeated", async () => {
  const { vps, admin, token, panel, add } = await rented({ password: PASSWORD });
  const { id } = await add(PASSWORD);
  await vps.exec("cp /etc/os-release /root/os && sed -i 's/^ID=.*/ID=alpine/' /etc/os-release");
  expect(await doStep(admin, id, "install-docker")).toMatchObject({ failure: "unsupported_system" });
  await vps.exec("cp /root/os /etc/os-release");
  expect(await doStep(admin, id, "install-docker")).toMatchObject({ success: true });

  // Neither is needed.
  await vps.exec(
    "cd /etc/apt/sources.list.d && echo 'deb http://no-such-name.example/x stable main' > gone.list && echo 'deb nonsense' > broken.list",
  );
  const lock = await holdPackages(vps);
  const step = doStep(admin, id, "install-wireguard");
  const waiting = "#krug note waiting_for_lock";
  expect((await linesOf(panel, token, id, waiting)).at(-1)).toBe(`${waiting} ${lock.pid} (perl)`);
  await lock.release();
  await lab.until("packages are unpacked", async () => (await vps.exec("pgrep -x dpkg || true")) !== "", 60_000);
  await vps.exec("pkill -KILL -f 'krug/setup do'");
  expect(await step).toMatchObject({ success: false, failure: "interrupted" });
  // The killed step's apt may continue and finish, and then nothing would be left to read from the sources.
  const purge = "dpkg --configure -a >&2 && dpkg --purge --force-depends nftables >&2 && echo done || true";
  await lab.until("a package is missing again", async () => (await vps.exec(purge)) === "done\n", 60_000);
  expect(await doStep(admin, id, "install-wireguard")).toMatchObject({ success: true });
  const named = (await linesOf(panel, token, id, "#krug note broken_sources")).at(-1);
  expect(named).toContain("/etc/apt/sources.list.d/broken.list");
  expect(named).toContain("http://no-such-name.example/x");

  // The first port belongs to another program: the next one is taken.
  await vps.exec(
    "perl -MSocket -e 'socket S, PF_INET, SOCK_DGRAM, 0; bind S, sockaddr_in(51820, INADDR_ANY); exit if fork; sleep 300'",
  );
  expect(await doStep(admin, id, "configure-wireguard")).toMatchObject({ success: true });
  expect(await admin.ask("GET /admin/servers/interfaces")).toMatchObject([{ listenPort: 51821 }]);
});

test("a Debian 13 becomes a server that carries a member's traffic, and is up again after a power cut", async () => {
  const { vps, admin, panel, add } = await rented({ password: PASSWORD, debian: 13 });
  const { id } = await add(PASSWORD);
  for (const step of STEPS) expect(await doStep(admin, id, step), step).toMatchObject({ success: true });
  const [server] = await admin.ask("GET /admin/servers");
  expect(server).toMatchObject({ isSetupComplete: true, system: "Debian GNU/Linux 13 (trixie)" });

  await lab.startServices(vps.network.target, { tcp: [80] });
  const { member: anna } = await invite(panel, admin, "anna");
  const file = await anna.download((await createConfig(anna, "laptop")).id);
  const client = vps.network.clients[0]!;
  const reaches = () => lab.fetchFrom(client, `http://${lab.TARGET_ADDRESS}/`);
  const tunnel = await lab.tunnelUp(vps.network, client, file);
  await lab.until("the device reaches the target", reaches, 40_000);
  await lab.until("its tunnel is kept", async () =>
    (await vps.exec("cat /var/lib/krug/tunnels/*.conf 2>/dev/null || true")).includes("[Peer]"),
  );
  await panel.end("SIGTERM");
  await vps.reboot();
  await tunnel.again();
  await lab.until("it does again, without a panel", reaches, 60_000);
});

test("what a provider's machine does at sign-in is reported by its kind; a greeting is skipped, and a password changed from the page", async () => {
  const { vps, admin, add } = await rented({ password: PASSWORD });
  const { id } = await add(PASSWORD);
  const params = { id };
  const look = () => admin.ask("GET /admin/servers/{id}/refresh", { params });
  /** With these lines before sshd's own. It takes a moment to read them. */
  const reports = async (problem: string | null, lines: string, how = "true") => {
    await vps.exec(`${how}; cat > /etc/ssh/sshd_config.d/kind.conf; systemctl reload ssh`, { stdin: `${lines}\n` });
    return lab.until(`it is reported as ${problem}`, async () => {
      const server = await look();
      return server.problem === problem && (problem !== null || server.status === "connected") ? server : null;
    });
  };
  await reports(null, "", "echo 'echo Welcome to $(hostname), $(uptime -p)' >> /root/.bashrc");
  await reports(null, "Banner /etc/banner", "yes Authorised users only. | head -n 300 > /etc/banner");
  expect((await reports("no_shell", "", "usermod -s /usr/sbin/nologin root")).error).toContain("not available");
  await reports("no_shell", "", "usermod -s /bin/false root");
  const forced = await reports("other_command", "ForceCommand echo Only backups here", "usermod -s /bin/bash root");
  expect(forced.error).toContain("Only backups here");
  const kex = "sntrup761x25519-sha512@openssh.com";
  expect((await reports("no_algorithm", `KexAlgorithms ${kex}`)).error).toContain(kex);
  await reports("login_refused", "PermitRootLogin no");

  const { publicKey } = await admin.ask("GET /admin/servers/ssh-key");
  const keysOnly = "PasswordAuthentication no\nKbdInteractiveAuthentication no";
  await reports("keys_only", keysOnly);
  await reports(null, keysOnly, `mkdir -pm 700 /root/.ssh; echo '${publicKey}' > /root/.ssh/authorized_keys`);
  await vps.exec("rm -r /root/.ssh");

  const expired = await reports("password_expired", "", "chage -d 0 root");
  expect(expired.error).toContain("password has expired");
  const password = "another of root's own";
  expect(await admin.ask("POST /admin/servers/{id}/new-password", { params, body: { password } })).toMatchObject({
    status: "connected",
    problem: null,
  });
  expect(await doStep(admin, id, "install-docker")).toMatchObject({ success: true });

  // It reached only the helper, and gets past its greeting over a new connection.
  await vps.exec("systemctl restart ssh");
  expect(await admin.ask("POST /admin/servers/{id}/leave", { params })).toMatchObject({ isClean: true, reason: null });
  // bash reads it for our own commands too.
  await vps.exec("rm /root/.bashrc");
  expect(await vps.exec(`ls -d ${OURS} 2>/dev/null || true`)).toBe("");
});
