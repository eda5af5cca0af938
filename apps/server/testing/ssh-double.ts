import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import ssh2 from "ssh2";
import { fingerprintOf } from "../src/hosts/ssh/connection.ts";
import { newSshKey } from "../src/hosts/ssh/new-key.ts";

export interface SshDouble {
  host: string;
  port: number;
  /** The machine's key's. */
  fingerprint: string;
  /** Attempts to sign in, with name and method, in order. */
  tries: { username: string; method: string }[];
  /** Commands that were requested. */
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
   * What runs for a command: the path of a program with its arguments, or a function that acts as one; null: the command is
   * refused.
   */
  run(command: string): readonly [string, ...string[]] | ((stream: Duplex) => void) | null;
  /** Serves SFTP to those who request it. */
  sftp?(stream: ssh2.SFTPWrapper): void;
  password?: string;
  /** In OpenSSH's one-line form. */
  authorizedKey?: string;
  /** Prompts for the password interactively, as some servers do. */
  onlyByQuestion?: boolean;
  /** Such a server's prompts in order, and the answers it accepts. By default only the password. */
  questions?: readonly { prompt: string; answer: string }[];
  /** Methods that it accepts, instead of password and key. */
  ways?: readonly ssh2.AuthenticationType[];
  /** A password or key is correct but not enough. */
  wantsSecond?: boolean;
  /** Shown before signing in. */
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
    // As sshd does; its types lack it.
    (client as unknown as { setNoDelay(on: boolean): void }).setNoDelay(true);
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
