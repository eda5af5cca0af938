import type { Duplex } from "node:stream";
import { FileRefused, type Machine, NobodyAnswers, ProgramFailed } from "../src/hosts/machine.ts";
import { AGENT_VERSION, makeReader, messageOf, type Said } from "../src/hosts/ssh/agent-session.ts";

type Answer = [word: string, ...fields: string[]];

/** Acts as agent.pl at the far end of a stream: passes requests on to `machine`. */
export function serveAsAgent(machine: Machine, stream: Duplex): void {
  const say = (id: number, [word, ...fields]: Answer) => {
    if (stream.writable) stream.write(messageOf(id, word, fields));
  };
  const maybe = (text: string | null): Answer => (text === null ? ["is"] : ["is", text]);
  const following = new Map<number, { stop(): void }>();

  const answers: Record<string, (fields: string[], id: number) => Promise<Answer | null>> = {
    async run([program = "", timeoutMs, maxOutputBytes, hasStdin, stdin = "", ...args]) {
      const limits = { timeoutMs: Number(timeoutMs), maxOutputBytes: Number(maxOutputBytes) };
      const options = { ...limits, ...(hasStdin === "1" && { stdin }) };
      return ["ended", "0", await machine.run(program, args, options), ""];
    },
    async follow([program = "", ...args], id) {
      const onLine = (line: string) => say(id, ["line", line]);
      following.set(id, machine.follow(program, args, { onLine, onEnd: () => say(id, ["end"]) }));
      return null;
    },
    async stop([id]) {
      following.get(Number(id))?.stop();
      following.delete(Number(id));
      return null;
    },
    claim: async () => ["is"],
    remembered: async () => ["is"],
    find: async ([program = ""]) => maybe(await machine.findProgram(program)),
    read: async ([path = ""]) => maybe(await machine.readFile(path)),
    async write([path = "", text = ""]) {
      await machine.writeFile(path, text);
      return ["is"];
    },
    list: async ([path = ""]) => ["is", ...(await machine.listFolder(path))],
    probe: async ([path = ""]) => ["is", (await machine.canWrite(path)) ? "1" : "0"],
    identify: async ([path = ""]) => maybe(await machine.identify(path)),
    ask: async ([path = "", question = "", end = ""]) => ["is", await machine.ask(path, question, end)],
    async only([path = "", identity, word = "", ...fields], id) {
      return (await machine.identify(path)) === identity ? answerTo(word, fields, id) : ["other"];
    },
  };

  const answerTo = async (word: string, fields: string[], id: number): Promise<Answer | null> => {
    try {
      return (await answers[word]?.(fields, id)) ?? null;
    } catch (error) {
      if (error instanceof ProgramFailed)
        return error.reason === "not_found" ? ["missing"] : ["ended", String(error.exitCode ?? ""), "", error.stderr];
      if (error instanceof FileRefused) return ["refused", error.message];
      if (error instanceof NobodyAnswers) return ["nobody"];
      throw error;
    }
  };

  const read = makeReader(({ id, word, fields }: Said & { id: number }) => {
    const texts = fields.map((field) => field.toString("utf8"));
    void answerTo(word, texts, id).then((answer) => answer && say(id, answer));
  });
  stream.on("data", (piece: Buffer) => {
    if (!read(piece)) stream.destroy();
  });
  stream.on("error", () => {});
  stream.on("close", () => {
    for (const each of following.values()) each.stop();
  });
  say(0, ["hello", String(AGENT_VERSION)]);
}
