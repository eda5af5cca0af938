import { reason } from "@krug/domain/reasons";
import { generateKeyPair } from "@krug/wireguard/keys";
import { type TunnelField, WIREGUARD } from "@krug/wireguard/protocol";
import { expect, test } from "vitest";
import { makeMemoryMachine } from "../../testing/memory-machine.ts";
import { type Control, controlByProgram, controlBySocket, controlOver } from "./control.ts";
import { NobodyAnswers, ProgramFailed } from "./machine.ts";

const junk: TunnelField = { name: "junk", initial: "0", parse: (text) => (/^\d+$/.test(text) ? text : null) };
/** A second kind of tunnel, with a number that both ends must share. */
const NOISY = { ...WIREGUARD, program: "ng", socketFolder: "/run/ng", fields: [junk] };
const { privateKey, publicKey } = generateKeyPair();
const change = { listenPort: 4, parameters: { junk: "7" }, remove: [], upsert: [] };

/** What is sent to the machine, by program or socket, and the result for this answer. */
async function said(by: typeof controlByProgram, answer: string, use: (control: Control) => Promise<unknown>) {
  const machine = makeMemoryMachine(() => publicKey);
  const heard: string[][] = [];
  machine.run = async (program, args) => {
    heard.push([program, ...args]);
    return answer;
  };
  machine.ask = async (path, question) => {
    heard.push([path, question]);
    return answer;
  };
  return { answer: await use(by(machine, NOISY)), heard };
}

test("the fields of a protocol are set along with the port, by its own program or at its own socket", async () => {
  const set = (control: Control) => control.change("ng0", change);
  expect((await said(controlByProgram, "", set)).heard).toEqual([
    ["ng", "set", "ng0", "listen-port", "4", "junk", "7"],
  ]);
  expect((await said(controlBySocket, "errno=0\n\n", set)).heard).toEqual([
    ["/run/ng/ng0.sock", "set=1\nlisten_port=4\njunk=7\n\n"],
  ]);
});

test("both ways read the same from an interface", async () => {
  const read = (control: Control) => control.read("ng0");
  const expected = { name: "ng0", publicKey, listenPort: 4, fwmark: null, parameters: { junk: "7" }, peers: [] };
  const dump = `${[privateKey, publicKey, "4", "7", "off"].join("\t")}\n`;
  expect((await said(controlByProgram, dump, read)).answer).toEqual(expected);
  const hex = Buffer.from(privateKey, "base64").toString("hex");
  const text = `private_key=${hex}\nlisten_port=4\njunk=7\nerrno=0\n\n`;
  expect((await said(controlBySocket, text, read)).answer).toEqual(expected);
});

test("an engine's error is a refusal, and any other answer is unreadable", async () => {
  const set = (control: Control) => control.change("ng0", change);
  await expect(said(controlBySocket, "errno=-98\n\n", set)).rejects.toMatchObject({ outcome: "refused", errno: -98 });
  await expect(said(controlBySocket, "hello\n\n", set)).rejects.toMatchObject({ name: "Unreadable" });
});

test("an interface whose program dies while it is read counts as gone; any other failure is reported", async () => {
  const machine = makeMemoryMachine(() => publicKey);
  const failing = (words: string) => {
    machine.run = async () => {
      throw new ProgramFailed("ng", "failed", 1, words);
    };
    return controlByProgram(machine, NOISY);
  };
  const dying = failing("Unable to access interface ng0: Protocol error\n");
  expect([await dying.readAll(), await dying.read("ng0")]).toEqual([[], null]);
  await expect(failing("Operation not permitted\n").readAll()).rejects.toMatchObject({ name: "ProgramFailed" });
});

test("without a program, the interfaces are those that answer in the sockets' folder", async () => {
  const machine = makeMemoryMachine(() => publicKey);
  const hex = (key: string) => Buffer.from(key, "base64").toString("hex");
  const [greeter, device] = [generateKeyPair().publicKey, generateKeyPair().publicKey];
  const counters = "rx_bytes=7\ntx_bytes=8\nlast_handshake_time_sec=0\npersistent_keepalive_interval=25-35\n";
  const peers = [
    `public_key=${hex(greeter)}\n${counters}`,
    `public_key=${hex(device)}\nallowed_ip=10.8.0.2/32\n${counters}`,
  ];
  machine.listFolder = async () => ["ng0.sock", "gone.sock", "ng0.lock", "-x.sock"];
  machine.ask = async (path) => {
    if (path !== "/run/ng/ng0.sock") throw new NobodyAnswers("refused", reason("call.nobody", { path }));
    return `private_key=${hex(privateKey)}\nlisten_port=4\njunk=07\n${peers.join("")}errno=0\n\n`;
  };
  const control = controlOver("program", machine, { ...NOISY, program: null });
  const [tunnel, ...others] = await control.readAll();
  expect(others).toEqual([]);
  expect(tunnel).toMatchObject({ name: "ng0", publicKey, listenPort: 4, parameters: { junk: "07" } });
  // A peer that only sends handshakes counts nothing, as in a dump: a probe a minute is not a change.
  expect(tunnel?.peers).toMatchObject([
    { publicKey: greeter, rxBytes: 0, txBytes: 0, persistentKeepalive: 25 },
    { publicKey: device, rxBytes: 7, txBytes: 8 },
  ]);
  expect(await control.read("gone")).toBeNull();
  expect(machine.commands).toEqual([]);
});
