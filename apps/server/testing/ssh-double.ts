import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import ssh2 from "ssh2";
import { fingerprintOf } from "../src/hosts/ssh/connection.ts";
import { newSshKey } from "../src/hosts/ssh/new-key.ts";

export interface SshDouble {
  host: string;
  port: number;
  /** Of the machine's key. */
  fingerprint: string;
  /** Names with which somebody tried to sign in, and how, in order. */
  tries: { username: string; method: string }[];
  /** Commands that were asked for. */
  commands: string[];
  /** How many clients are connected. */
  connected(): number;
  /** Ends all connections, as a network does. */
  cut(): void;
  /** Stops listening; with the same port it can come back. */
  close(): Promise<void>;
}

export interface SshDoubleOptions {
  /**
   * What is run for a command: the path of a program with its arguments, or a function that speaks for one; null: the command
   * is refused.
   */
  run(command: string): readonly [string, ...string[]] | ((stream: Duplex) => void) | null;
  /** Speaks SFTP with whoever asks for it. */
  sftp?(stream: ssh2.SFTPWrapper): void;
  password?: string;
  /** In OpenSSH's one-line form. */
  authorizedKey?: string;
  /** Asks for the password by a question, as some servers do. */
  onlyByQuestion?: boolean;
  /** What such a server asks one after the other, and what it takes for an answer. By default the password alone. */
  questions?: readonly { prompt: string; answer: string }[];
  /** Ways to sign in that it takes, in place of password and key. */
  ways?: readonly ssh2.AuthenticationType[];
  /** A password or key is right and not enough. */
  wantsSecond?: boolean;
  /** Shown to whoever is about to sign in. */
  banner?: string;
  port?: number;
  /** PEM; a new one by default. */
  hostKey?: string;
}

/** An SSH server of ssh2's own on loopback, which runs commands on this machine. */
export async function startSshDouble(options: SshDoubleOptions): Promise<SshDouble> {
  const key = options.hostKey ?? newSshKey().privateKey;
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  const fingerprint = fingerprintOf(parsed.getPublicSSH());
  const tries: SshDouble["tries"] = [];
  const commands: string[] = [];
  const clients = new Set<ssh2.Connection>();

  const banner = options.banner === undefined ? {} : { banner: options.banner };
  const server = new ssh2.Server({ hostKeys: [key], ...banner }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client));
    client.on("error", () => {});
    client.on("authentication", (context) => {
      const { method, username } = context;
      if (method !== "none") tries.push({ username, method });
      const ways: ssh2.AuthenticationType[] = options.onlyByQuestion
        ? ["keyboard-interactive"]
        : [...(options.ways ?? (["password", "publickey"] as const))];
      const accept = () => (options.wantsSecond ? context.reject(["keyboard-interactive"], true) : context.accept());
      if (!ways.includes(method as never)) return context.reject(ways);
      if (context.method === "password" && context.password === options.password) return accept();
      if (context.method === "keyboard-interactive") {
        const questions = options.questions ?? [{ prompt: "Password: ", answer: options.password ?? "" }];
        const ask = ([question, ...rest]: typeof questions): unknown =>
          question === undefined
            ? context.accept()
            : context.prompt([{ prompt: question.prompt, echo: false }], ([answer]) =>
                answer === question.answer ? ask(rest) : context.reject(),
              );
        return ask(questions);
      }
      if (context.method === "publickey" && options.authorizedKey !== undefined) {
        const known = ssh2.utils.parseKey(options.authorizedKey);
        if (known instanceof Error) throw known;
        const isKnown = known.getPublicSSH().equals(context.key.data);
        const isProven =
          context.signature === undefined ||
          known.verify(context.blob as Buffer, context.signature, context.hashAlgo as never) === true;
        if (isKnown && isProven) return accept();
      }
      return context.reject(ways);
    });
    client.on("session", (accept) => {
      const session = accept();
      session.on("pty", (acceptPty) => acceptPty());
      if (options.sftp !== undefined) session.on("sftp", (acceptSftp) => options.sftp?.(acceptSftp()));
      session.on("exec", (acceptExec, refuse, { command }) => {
        commands.push(command);
        const program = options.run(command);
        if (program === null) return refuse();
        const channel = acceptExec();
        if (typeof program === "function") return program(channel);
        const child = spawn(program[0], program.slice(1), { stdio: "pipe" });
        channel.pipe(child.stdin);
        child.stdout.pipe(channel, { end: false });
        child.stderr.pipe(channel.stderr, { end: false });
        child.stdin.on("error", () => {});
        channel.on("close", () => child.stdin.end());
        child.on("error", () => channel.exit(127));
        child.on("close", (code) => {
          if (channel.writable) channel.exit(code ?? 255);
          channel.end();
        });
      });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });

  return {
    host: "127.0.0.1",
    port: (server.address() as AddressInfo).port,
    fingerprint,
    tries,
    commands,
    connected: () => clients.size,
    cut() {
      for (const client of clients) client.end();
    },
    close: () =>
      new Promise((resolve) => {
        for (const client of clients) client.end();
        server.close(() => resolve());
      }),
  };
}
