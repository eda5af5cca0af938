import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../scripts/command.mjs";
import { patiently, type Send } from "./commands.ts";

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

/** How an element is found: by its role and accessible name, its label, or its text. */
export type Wanted =
  | { role: string; name?: string | RegExp; within?: Wanted }
  | { label: string | RegExp; within?: Wanted }
  | { text: string | RegExp; within?: Wanted };

/** A person with a new profile in one of these browsers. */
export interface OtherVisitor {
  /** @param path  below the panel's address, or a whole address */
  goTo(path: string): Promise<void>;
  reload(): Promise<void>;
  /** Waits until it exists and is visible. Returns its text. */
  see(wanted: Wanted): Promise<string>;
  /** Waits until it is gone or hidden. */
  lose(wanted: Wanted): Promise<void>;
  /** With a real press in its middle. */
  press(wanted: Wanted): Promise<void>;
  /** Replaces the field's content with real keys. */
  fill(label: string, text: string): Promise<void>;
  /** Types where the focus is. */
  type(text: string): Promise<void>;
  /** Gives a file to the page's file input. */
  attach(path: string): Promise<void>;
  /** The result of a function's body run in the page. It must be JSON. */
  evaluate<T>(body: string): Promise<T>;
  /** Waits until a file is completely saved, and returns its text. */
  saved(name: string): Promise<string>;
  /** Exceptions in the open document since its first look-up. */
  problems(): Promise<string[]>;
  /** Writes a picture of the visible page. */
  picture(file: string): Promise<void>;
  close(): Promise<void>;
}

/** Testing Library's queries, so that names find elements here as in the screen tests. */
const QUERIES = readFileSync(
  join(ROOT, "node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);

/** Runs once in each document. */
const NOTE_PROBLEMS = `
  const problems = globalThis.krugProblems = [];
  window.addEventListener("error", ({ message }) => message && problems.push(String(message)));
  window.addEventListener("unhandledrejection", ({ reason }) => problems.push(String(reason)));
`;

const NO_QUERIES = "no queries yet";

/** Runs in the page, or in Marionette's sandbox around it. */
const FIND = `
  const [wanted] = arguments;
  if (globalThis.TestingLibraryDom === undefined) return "${NO_QUERIES}";
  const { queryAllByRole, queryAllByLabelText, queryAllByText } = globalThis.TestingLibraryDom;
  const matcher = (value) => value && typeof value === "object" ? new RegExp(value.source, value.flags) : value;
  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const find = (wish, root) => {
    const all = wish.within === undefined ? [root] : find(wish.within, root);
    return all.flatMap((place) =>
      wish.role !== undefined ? queryAllByRole(place, wish.role, { name: matcher(wish.name) })
      : wish.label !== undefined ? queryAllByLabelText(place, matcher(wish.label), { exact: true })
      : queryAllByText(place, matcher(wish.text), { exact: false, ignore: "script, style, title" }),
    ).filter(isVisible);
  };
  return find(wanted, document.body)[0] ?? null;
`;

type Json = { [key: string]: unknown };
const asJson = (wanted: Wanted): Json =>
  Object.fromEntries(
    Object.entries(wanted)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [
        key,
        value instanceof RegExp
          ? { source: value.source, flags: value.flags }
          : typeof value === "object"
            ? asJson(value)
            : value,
      ]),
  );

export function asVisitor(
  send: Send,
  { baseURL, downloads, end }: { baseURL: string; downloads: string; end(): Promise<void> },
): OtherVisitor {
  async function find(wanted: Wanted): Promise<string | null> {
    const ask = () => run<unknown>(FIND, asJson(wanted));
    let found = await ask();
    if (found === NO_QUERIES) {
      await run(QUERIES + NOTE_PROBLEMS);
      found = await ask();
    }
    return found === null ? null : ((found as Record<string, string>)[ELEMENT] ?? null);
  }
  async function found(wanted: Wanted): Promise<string> {
    const element = await find(wanted);
    if (element === null) throw new Error(`not seen: ${describe(wanted)}`);
    return element;
  }
  const run = <T>(body: string, ...args: unknown[]) => send("execute", { script: body, args }) as Promise<T>;
  const keys = (text: string) =>
    send("actions", {
      actions: [
        {
          type: "key",
          id: "keys",
          actions: [...text].flatMap((value) => [
            { type: "keyDown", value },
            { type: "keyUp", value },
          ]),
        },
      ],
    });

  return {
    goTo: async (path) => void (await send("goTo", { url: new URL(path, baseURL).href })),
    reload: async () => void (await send("refresh")),
    see: async (wanted) =>
      patiently(async () => run<string>("return arguments[0].textContent", { [ELEMENT]: await found(wanted) })),
    lose: (wanted) =>
      patiently(async () => {
        if ((await find(wanted)) !== null) throw new Error(`still seen: ${describe(wanted)}`);
      }),
    // A page that redraws in between has another element.
    press: (wanted) => patiently(async () => void (await send("click", {}, await found(wanted)))),
    fill: (label, text) =>
      patiently(async () => {
        const field = await found({ label });
        await send("clear", {}, field);
        await send("type", { text, value: [...text] }, field);
      }),
    type: async (text) => void (await keys(text)),
    attach: async (path) => {
      const field = await patiently(() =>
        run<Record<string, string>>("return document.querySelector('input[type=file]')"),
      );
      await send("type", { text: path, value: [path] }, field[ELEMENT]);
    },
    evaluate: (body) => run(body),
    saved: (name) =>
      patiently(() => {
        const text = readFileSync(join(downloads, name), "utf8");
        if (text === "") throw new Error(`${name} is empty`);
        return text;
      }),
    problems: () => run("return globalThis.krugProblems ?? []"),
    picture: async (file) => writeFileSync(file, Buffer.from(String(await send("picture")), "base64")),
    close: async () => {
      await send("end").catch(() => {});
      await end();
    },
  };
}

const describe = (wanted: Wanted) =>
  JSON.stringify(wanted, (_, value) => (value instanceof RegExp ? String(value) : value));
