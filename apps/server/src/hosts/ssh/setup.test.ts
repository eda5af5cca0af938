import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";

const SETUP = new URL("setup.sh", import.meta.url).pathname;
const CONTAINER_SETUP = new URL("container.sh", import.meta.url).pathname;
const RUN = "0b9f4a53-4d3c-4a0e-9f6e-3f6c3b8d1e2f";

let folder: string;

const program = (name: string, script: string) =>
  writeFileSync(join(folder, "bin", name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
const setup = (args: string) => spawnSync(join(folder, "setup"), args.split(" "), { encoding: "utf8" });
/** The same on a full disk: a file can be made but no byte written to it. */
const setupWithoutRoom = (args: string) => {
  program("df", "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/vda 9 9 0 100% /'");
  const script = `trap '' XFSZ; ulimit -f 0; exec ${folder}/setup ${args}`;
  return spawnSync("bash", ["-c", script], { encoding: "utf8" });
};
/** The machine's one tunnel serves these devices. */
const serves = (...devices: string[]) => {
  const peers = devices.map((device) => `[Peer]\\nPublicKey = ${device}\\nEndpoint = 198.51.100.11:1\\n`).join("");
  program("wg", `printf '[Interface]\\nListenPort = 51820\\n${peers}'`);
};
const kept = () => {
  const at = join(folder, "state/tunnels");
  return Object.fromEntries(readdirSync(at).map((name) => [name, readFileSync(join(at, name), "utf8")]));
};

/** The script itself, on a machine whose state and tunnel are in this folder. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "krug-setup-"));
  mkdirSync(join(folder, "bin"));
  const text = readFileSync(SETUP, "utf8")
    .replace("# container.sh\n", () => readFileSync(CONTAINER_SETUP, "utf8"))
    .replace("STATE=/var/lib/krug", `STATE=${folder}/state`)
    .replace("export PATH=", `export PATH=${folder}/bin:`)
    .replaceAll("/sys/class/net", `${folder}/net`)
    .replaceAll("/proc/sys/net", `${folder}/settings`)
    .replaceAll("/run/wireguard", `${folder}/run`)
    .replace("MEETING=/run/krug", `MEETING=${folder}/meeting`)
    .replace("LIBRARY=/usr/local/lib/krug", `LIBRARY=${folder}/library`)
    .replace("DAEMON_FILE=/etc/docker", `DAEMON_FILE=${folder}/docker`)
    .replace("BOOTED=/run/systemd/system", `BOOTED=${folder}/booted`)
    .replace("UNIT=/etc/systemd/system", `UNIT=${folder}`)
    .replace("SOURCES=/etc/apt/sources.list.d", `SOURCES=${folder}/sources`)
    .replace("LOCK_LOOK_S=3", "LOCK_LOOK_S=0.05")
    .replaceAll("/etc/os-release", `${folder}/os-release`)
    .replace("SOCKETS=/run/amneziawg", `SOCKETS=${folder}/sockets`)
    .replace("ENGINE=$LIBRARY/engine", `ENGINE=${folder}/bin/engine`);
  writeFileSync(join(folder, "setup"), text, { mode: 0o755 });
  mkdirSync(join(folder, "net/wg0"), { recursive: true });
  writeFileSync(join(folder, "net/wg0/mtu"), "1420\n");
  program("ip", `[ "$*" != '-4 rule show' ] || echo '0: from all fwmark 0/0x20000000 iif wg0 blackhole'`);
  program("nft", "echo 'table inet krug {'; echo '}'");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform !== "linux")("on a full disk", () => {
  test("the previous save of the tunnels for a reboot stays, and the failure is reported", () => {
    serves("first");
    expect(setup("keep").status).toBe(0);
    const before = kept();
    expect(before["wg0.conf"]).toBe("[Interface]\nListenPort = 51820\n[Peer]\nPublicKey = first\n");
    serves("first", "second");
    expect(setupWithoutRoom("keep").status).toBe(1);
    expect(kept()).toEqual(before);
    expect(setup("keep").status).toBe(0);
    expect(kept()["wg0.conf"]).toContain("second");
  });

  test("a step that cannot store its own output ends with that, and is not called interrupted", () => {
    expect(setupWithoutRoom(`run ${RUN} 1 docker 1 system`).stdout).toBe("#krug fail no_space 0 MB\n");
  });
});

describe.skipIf(process.platform !== "linux")("a tunnel of AmneziaWG", () => {
  const FRESH = "listen_port=4444\nh1=1\nh2=2\njunk=0\n";
  const STATE = `private_key=ab\nlisten_port=51820\nh1=7\nh2=2\njunk=0\nheader_protection_key=cd\n`;
  const PEER =
    "public_key=01\nendpoint=198.51.100.11:1\nlast_handshake_time_sec=5\nrx_bytes=9\nallowed_ip=10.8.0.2/32\n";

  /** Its engine reports this, and records its input. */
  async function serve(said: string) {
    mkdirSync(join(folder, "sockets"), { recursive: true });
    const told: string[] = [];
    const server = createServer((socket) =>
      socket.on("data", (piece) => {
        const question = piece.toString();
        if (question !== "get=1\n\n") told.push(question);
        socket.write(question === "get=1\n\n" ? `${said}errno=0\n\n` : "errno=0\n\n");
      }),
    ).listen(join(folder, "sockets/wg0.sock"));
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return told;
  }
  /** Separate from this process, which is its engine. */
  const setupBeside = (args: string) =>
    new Promise<number | null>((ended) => spawn(join(folder, "setup"), args.split(" ")).once("exit", ended));

  test("is saved with its parameters, readable only by root, without its history", async () => {
    await serve(STATE + PEER);
    expect(await setupBeside("keep")).toBe(0);
    expect(kept()["wg0.engine"]).toBe(`${STATE}public_key=01\nallowed_ip=10.8.0.2/32\n`);
    expect(kept()).not.toHaveProperty("wg0.conf");
    expect(statSync(join(folder, "state/tunnels/wg0.engine")).mode & 0o777).toBe(0o600);
  });

  test("stays saved while its engine is gone", async () => {
    program("wg", "exit 1");
    mkdirSync(join(folder, "state/tunnels"), { recursive: true });
    for (const [kind, text] of Object.entries({ engine: STATE, mtu: "1280\n", addresses: "10.8.0.1/24\n" }))
      writeFileSync(join(folder, "state/tunnels", `wg0.${kind}`), text);
    expect(await setupBeside("keep")).toBe(0);
    expect(kept()).toMatchObject({ "wg0.engine": STATE, "wg0.mtu": "1280\n" });
  });

  test("gets, when restored, everything that is not a new one's default", async () => {
    await serve(STATE + PEER);
    expect(await setupBeside("keep")).toBe(0);
    rmSync(join(folder, "sockets"), { recursive: true });
    const told = await serve(FRESH);
    rmSync(join(folder, "net/wg0"), { recursive: true });
    program("engine", `echo "$LOG_LEVEL $*" > ${folder}/started; ls -l /proc/$$/fd > ${folder}/held`);
    // A step that starts it holds these.
    const path = join(folder, "setup");
    const locks = `exec 8>"$STATE/keeping" 9>"$STATE/lock"`;
    writeFileSync(path, readFileSync(path, "utf8").replace("\n  restore) restore", `\n  restore) ${locks}; restore`));
    expect(await setupBeside("restore")).toBe(0);
    await expect
      .poll(() => existsSync(join(folder, "held")) && readFileSync(join(folder, "held"), "utf8"))
      .toContain(" 1 -> ");
    expect(readFileSync(join(folder, "held"), "utf8"), "it outlives the step").not.toMatch(/keeping|lock$/m);
    expect(readFileSync(join(folder, "started"), "utf8")).toBe("error --foreground wg0\n");
    expect(told).toEqual([
      "set=1\nprivate_key=ab\nlisten_port=51820\nh1=7\nheader_protection_key=cd\npublic_key=01\nallowed_ip=10.8.0.2/32\n\n",
    ]);
  });
});

test.skipIf(process.platform !== "linux")("a clock that went back does not delete a try as an old one", () => {
  const runs = join(folder, "state/runs");
  for (let at = 0; at < 12; at += 1) {
    mkdirSync(join(runs, `earlier-${at}`), { recursive: true });
    utimesSync(join(runs, `earlier-${at}`), Date.now() / 1_000 + 1_000, Date.now() / 1_000 + 1_000 + at);
  }
  expect(setup(`run ${RUN} 1 docker 1 system`).stdout).toMatch(
    /^#krug stage preflight\n(.*\n)*#krug fail (?!interrupted)/,
  );
  expect(readdirSync(runs)).toHaveLength(10);
  expect(readdirSync(runs)).toContain("earlier-11");
});

describe.skipIf(process.platform !== "linux")("packages", () => {
  const OURS = ["wireguard-tools", "nftables", "iproute2", "kmod", "dnsmasq-base"];

  /**
   * A Debian 12 without them. `apt` and `dpkg` are scripts of what these programs do; `$tries` counts their calls, and
   * `installed` runs once they have installed what was requested.
   */
  function machineWhere({ update = "", install = "", configure = "" }) {
    writeFileSync(
      join(folder, "os-release"),
      'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
    );
    mkdirSync(join(folder, "booted"));
    mkdirSync(join(folder, "sources"));
    for (const name of ["debian.sources", "foreign.list"]) writeFileSync(join(folder, "sources", name), "");
    program("modprobe", `mkdir -p ${folder}/module`);
    program("systemctl", "");
    program("dpkg-query", `[ -e ${folder}/installed ] && echo ii`);
    const counted = (name: string) =>
      `tries=$(cat ${folder}/${name} 2>/dev/null || echo 0); echo $((tries + 1)) > ${folder}/${name}`;
    program(
      "dpkg",
      `[ "$1" != --print-architecture ] || { echo amd64; exit; }\n${counted("dpkg-tries")}\n${configure}`,
    );
    program(
      "apt-get",
      `echo "$*" >> ${folder}/asked
case "$*" in
  *' -s '*) ;;
  *' update') ${counted("update-tries")}
    ${update} ;;
  *' install '*) ${counted("install-tries")}
    ${install}
    touch ${folder}/installed ;;
esac`,
    );
    const text = readFileSync(join(folder, "setup"), "utf8").replaceAll("/sys/module/wireguard", `${folder}/module`);
    writeFileSync(join(folder, "setup"), text);
  }
  const installing = () => setup(`run ${RUN} 1 wireguard ${Math.floor(Date.now() / 1_000)} system`).stdout;
  const held = (...lines: string[]) => `[ $tries -ge 2 ] || { cat >&2 <<'SAID'\n${lines.join("\n")}\nSAID\nexit 100; }`;

  const LOCKED = [
    "dpkg: error: dpkg frontend lock was locked by another process with pid 1",
    "dpkg: error: dpkg database lock was locked by another process with pid 1",
    "dpkg: error: dpkg frontend lock was locked by another process",
    "dpkg: error: dpkg frontend is locked by another process",
    "dpkg: error: dpkg status database is locked by another process",
    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (unattended-upgr)",
    "E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?",
    "E: Could not get lock /var/lib/dpkg/lock-frontend - open (11: Resource temporarily unavailable)",
    "E: Unable to lock directory /var/lib/apt/lists/",
    "E: Unable to lock the download directory",
    "Error: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 1 (apt.systemd.dai)",
    "E: Unable to lock the administration directory (/var/lib/dpkg/), is another process using it?",
  ];

  test("that another program has locked are waited for in each command, reported once, whatever apt and dpkg print", () => {
    // Each try meets the next wording, until all were printed.
    const said = LOCKED.map((words, at) => `[ $tries != ${at} ] || { echo '${words}' >&2; exit 100; }`).join("\n");
    machineWhere({ configure: said, update: held(LOCKED[0] ?? ""), install: held(LOCKED[5] ?? "") });
    const lines = installing().split("\n");
    expect(lines.at(-2), lines.join("\n")).toBe("#krug done");
    expect(lines.filter((line) => line.startsWith("#krug note waiting_for_lock"))).toHaveLength(3);
    expect(readFileSync(join(folder, "dpkg-tries"), "utf8")).toBe(`${LOCKED.length + 1}\n`);
  });

  test("the program that has the lock is named, with its PID", () => {
    const said = "dpkg: error: dpkg frontend lock was locked by another process with pid 1";
    machineWhere({ configure: held(said) });
    const name = readFileSync("/proc/1/comm", "utf8").trim();
    expect(installing()).toContain(`#krug note waiting_for_lock 1 (${name})\n`);
  });

  test("whose lock is never released end the step with that, and it can be retried", () => {
    machineWhere({ configure: "echo 'dpkg: error: dpkg frontend lock was locked by another process' >&2; exit 2" });
    const path = join(folder, "setup");
    writeFileSync(path, readFileSync(path, "utf8").replace("LOCK_WAIT_S=600", "LOCK_WAIT_S=1"));
    expect(installing()).toMatch(/#krug fail package_lock *\n$/);
    program("dpkg", "[ $1 != --print-architecture ] || echo amd64");
    const again = RUN.replace("0b9f", "1b9f");
    expect(setup(`run ${again} 1 wireguard ${Math.floor(Date.now() / 1_000)} system`).stdout).toContain("#krug done");
  });

  const FOREIGN =
    "Err:2 http://ppa.example/x bookworm Release\n  404  Not Found\nE: The repository 'http://ppa.example/x bookworm Release' does not have a Release file.";
  const updateSays = (text: string) => `cat <<'SAID'\n${text}\nSAID\nexit 100`;

  test.each([
    ["gone", FOREIGN, "http://ppa.example/x"],
    [
      "of an unknown name",
      "Err:1 https://no.example stable InRelease\n  Could not resolve 'no.example'\nE: Failed to fetch https://no.example/dists/stable/InRelease  Could not resolve 'no.example'",
      "https://no.example",
    ],
    [
      "signed by an unknown key",
      "W: GPG error: http://keys.example ./ InRelease: The following signatures couldn't be verified because the public key is not available: NO_PUBKEY 1\nE: The repository 'http://keys.example ./ InRelease' is not signed.",
      "http://keys.example",
    ],
  ])("are installed although a foreign source is %s, which is named", (_, said, named) => {
    machineWhere({ update: updateSays(said) });
    expect(installing()).toMatch(new RegExp(`#krug note broken_sources ${named}\n(.*\n)*#krug done\n$`));
  });

  test("are installed although a foreign file of sources is unreadable: it is skipped and not changed", () => {
    const said = `E: Malformed entry 1 in list file ${folder}/sources/foreign.list (Component)\nE: The list of sources could not be read.`;
    machineWhere({ update: `case "$*" in *SourceParts*) ;; *) ${updateSays(said)} ;; esac` });
    const lines = installing();
    expect(lines).toContain(`#krug note broken_sources ${folder}/sources/foreign.list\n`);
    expect(lines).toContain("#krug done");
    const installed = readFileSync(join(folder, "asked"), "utf8")
      .split("\n")
      .find((line) => line.includes(" install "));
    expect(installed).toContain("Dir::Etc::SourceParts=");
    expect(readdirSync(join(folder, "state/runs", RUN, "sources"))).toEqual(["debian.sources"]);
    expect(readdirSync(join(folder, "sources"))).toEqual(["debian.sources", "foreign.list"]);
  });

  test.each([
    [
      "no_names",
      "Err:1 http://mirror.example/debian bookworm InRelease\n  Temporary failure resolving 'mirror.example'\nE: Failed to fetch http://mirror.example/debian/dists/bookworm/InRelease  Temporary failure resolving 'mirror.example'",
      "Temporary failure resolving 'mirror.example'",
    ],
    [
      "no_network",
      "Err:1 http://mirror.example/debian bookworm InRelease\n  Could not connect to mirror.example:80 (192.0.2.1), connection timed out\nE: Failed to fetch http://mirror.example/debian/dists/bookworm/InRelease  Could not connect to mirror.example:80",
      "Could not connect to mirror.example:80",
    ],
    ["broken_source", FOREIGN, "http://ppa.example/x"],
  ])("that are unavailable are reported with the reason: %s", (failure, said, detail) => {
    machineWhere({
      update: updateSays(said),
      install: "echo 'E: Unable to locate package wireguard-tools' >&2; exit 100",
    });
    expect(installing()).toMatch(new RegExp(`#krug fail ${failure} .*${detail}.*\n$`));
  });

  test("of which one is broken are reported with apt's own message", () => {
    machineWhere({ install: "echo 'E: Sub-process /usr/bin/dpkg returned an error code (1)' >&2; exit 100" });
    expect(installing()).toMatch(/#krug fail packages E: Sub-process .usr.bin.dpkg returned an error code \(1\)\n$/);
  });

  test("are requested by name, once", () => {
    machineWhere({});
    expect(installing()).toMatch(/#krug done\n$/);
    expect(readFileSync(join(folder, "asked"), "utf8")).toContain(
      `install --no-install-recommends ${OURS.join(" ")}\n`,
    );
    expect(readFileSync(join(folder, "install-tries"), "utf8")).toBe("1\n");
  });
});

describe.skipIf(process.platform !== "linux")("an inspection of a machine", () => {
  const look = (osRelease: string) => {
    writeFileSync(join(folder, "os-release"), osRelease);
    mkdirSync(join(folder, "booted"), { recursive: true });
    program("dpkg", "echo amd64");
    program("modprobe", "exit 1");
    return setup(`look ${Math.floor(Date.now() / 1_000)}`).stdout;
  };
  const system = (id: string, version: string) => `ID=${id}\nVERSION_ID="${version}"\nPRETTY_NAME="${id} ${version}"\n`;

  test.each([
    ["debian", "12"],
    ["debian", "13"],
    ["ubuntu", "22.04"],
    ["ubuntu", "24.04"],
    ["ubuntu", "26.04"],
  ])("finds nothing wrong with %s %s, and leaves nothing there", (id, version) => {
    expect(look(system(id, version))).not.toContain("unsupported_system");
    expect(readdirSync(folder)).not.toContain("state");
  });

  test.each([
    ["alpine", "3.22"],
    ["debian", "11"],
    ["ubuntu", "20.04"],
    ["centos", "9"],
  ])("refuses %s %s by name", (id, version) => {
    expect(look(system(id, version))).toContain(`#krug fail unsupported_system ${id} ${version}\n`);
  });

  test("refuses one without systemd", () => {
    look(system("debian", "12"));
    rmSync(join(folder, "booted"), { recursive: true });
    expect(setup(`look ${Math.floor(Date.now() / 1_000)}`).stdout).toContain("#krug fail no_systemd");
  });
});

test.skipIf(process.platform !== "linux")("a machine that got no further than the helper is left clean", () => {
  program("ip", "exit 127");
  program("nft", "exit 127");
  program("apt-get", "exit 1");
  program("getent", `echo ops:x:1:1::${folder}/home:/bin/sh`);
  const path = join(folder, "setup");
  writeFileSync(
    path,
    readFileSync(path, "utf8")
      .replace("LIBRARY=/usr/local/lib/krug", `LIBRARY=${folder}/library`)
      .replaceAll("/etc/sudoers.d/krug", `${folder}/sudoers`),
  );
  mkdirSync(join(folder, "home/.ssh"), { recursive: true });
  mkdirSync(join(folder, "library"));
  writeFileSync(join(folder, "sudoers"), "");
  writeFileSync(join(folder, "home/.ssh/authorized_keys"), `restrict ssh-ed25519 ${"A".repeat(60)} krug\n`);
  expect(setup("leave ops").stdout).toBe("#krug left key\n#krug left programs\n#krug done\n");
  expect(readdirSync(folder).filter((name) => ["library", "sudoers", "state"].includes(name))).toEqual([]);
  expect(readdirSync(join(folder, "home"))).toEqual([]);
});

describe.skipIf(process.platform !== "linux")("leaving a machine whose Docker set-up installed", () => {
  /** `docker` lists these images; `apt-get` would purge its arguments, and whatever depends on it. */
  const leaving = (images: string) => {
    mkdirSync(join(folder, "state"), { recursive: true });
    mkdirSync(join(folder, "docker"));
    writeFileSync(join(folder, "docker/daemon.json"), '{ "iptables": true }\n');
    writeFileSync(join(folder, "state/packages"), "containerd\ndocker.io\nnftables\n");
    program("dpkg-query", `! grep -qw "\${@: -1}" ${folder}/purged 2>/dev/null && echo ii`);
    program("docker", `case "$1 $2" in 'version --format') echo 20 ;; 'image ls') echo '${images}' ;; esac`);
    program("rm", `echo "$*" >> ${folder}/removed`);
    program(
      "apt-get",
      `case "$*" in
  '-s purge '*) for each in "\${@:3}" $(grep -qw containerd <<<"$*" && echo docker.io); do echo "Purg $each"; done | sort -u ;;
  *' purge '*) echo "$*" >> ${folder}/purged ;;
esac`,
    );
    return setup("leave ops").stdout;
  };

  test("removes it if nobody else uses it, and its settings only if they are ours", () => {
    expect(leaving("")).toMatch(/#krug left containerd\n#krug left docker.io\n#krug left nftables\n/);
    const removed = readFileSync(join(folder, "removed"), "utf8");
    expect(removed).toContain("/var/lib/docker");
    expect(removed).not.toContain("daemon.json");
  });

  test("leaves it, and everything in it, if somebody does", () => {
    expect(leaving("sha256:0123")).toMatch(/#krug kept docker.io\n#krug kept containerd\n#krug kept nftables\n/);
    expect(() => readFileSync(join(folder, "purged"))).toThrow();
    expect(readFileSync(join(folder, "removed"), "utf8")).not.toContain("/var/lib/docker");
  });
});
