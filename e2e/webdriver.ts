import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ROOT } from "../scripts/command.mjs";
import { freePort } from "../scripts/free-port.mjs";
import { miniBrowser } from "../scripts/system-packages.mjs";

/**
 * The browsers that Playwright can't drive as Debian packages them: WebKit through its WebDriver, Firefox through Marionette,
 * which speaks the same commands over a socket (W3C WebDriver, https://www.w3.org/TR/webdriver2).
 */
export const OTHER_BROWSERS = ["WebKit", "Firefox"] as const;
export type OtherBrowser = (typeof OTHER_BROWSERS)[number];

/** One command of WebDriver and its answer's `value`. */
type Send = (command: Command, params?: Record<string, unknown>, element?: string) => Promise<unknown>;
type Command = keyof typeof COMMANDS;

/** Each command's names: method and path below the session, and Marionette's. */
const COMMANDS = {
  goTo: ["POST url", "WebDriver:Navigate"],
  refresh: ["POST refresh", "WebDriver:Refresh"],
  back: ["POST back", "WebDriver:Back"],
  execute: ["POST execute/sync", "WebDriver:ExecuteScript"],
  click: ["POST element/{id}/click", "WebDriver:ElementClick"],
  clear: ["POST element/{id}/clear", "WebDriver:ElementClear"],
  type: ["POST element/{id}/value", "WebDriver:ElementSendKeys"],
  actions: ["POST actions", "WebDriver:PerformActions"],
  picture: ["GET screenshot", "WebDriver:TakeScreenshot"],
  size: ["POST window/rect", "WebDriver:SetWindowRect"],
  end: ["DELETE ", "WebDriver:DeleteSession"],
} as const;

const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
const PATIENCE_MS = 60_000;
const SCREENS = { phone: { width: 360, height: 740 }, desktop: { width: 1440, height: 900 } };

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
  back(): Promise<void>;
  /** Waits until it is there and visible; returns its text. */
  see(wanted: Wanted): Promise<string>;
  /** Waits until it is not there, or not visible. */
  lose(wanted: Wanted): Promise<void>;
  isSeen(wanted: Wanted): Promise<boolean>;
  /** By a real press in its middle. */
  press(wanted: Wanted): Promise<void>;
  /** Replaces what the field has by real keys. */
  fill(label: string, text: string): Promise<void>;
  /** Keys where the focus is. */
  type(text: string): Promise<void>;
  /** Gives a file to the page's input for files. */
  attach(path: string): Promise<void>;
  /** The answer of a function's body in the page; what it returns must be JSON. */
  evaluate<T>(body: string): Promise<T>;
  /** Waits for a file to be saved whole, and returns its text. */
  saved(name: string): Promise<string>;
  /** Writes a picture of what is seen. */
  picture(file: string): Promise<void>;
  close(): Promise<void>;
}

export async function visitWith(
  browser: OtherBrowser,
  { baseURL, screen = "phone" }: { baseURL: string; screen?: keyof typeof SCREENS },
): Promise<OtherVisitor> {
  const folder = mkdtempSync(join(tmpdir(), `krug-${browser}-`));
  const downloads = join(folder, "downloads");
  mkdirSync(downloads);
  const children: ChildProcess[] = [];
  const start = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, {
      env: { PATH: process.env.PATH, LANG: "ru_RU.UTF-8", HOME: folder, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return child;
  };
  const end = async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const impatience = setTimeout(() => child.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(impatience);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const open = browser === "WebKit" ? openWebKit : openFirefox;
    const send = await open({ folder, downloads, start, screen });
    return asVisitor(send, { baseURL, downloads, end });
  } catch (error) {
    await end();
    throw error;
  }
}

interface Opening {
  folder: string;
  downloads: string;
  start(program: string, args: string[], env?: Record<string, string>): ChildProcess;
  screen: keyof typeof SCREENS;
}

async function openWebKit({ folder, downloads, start, screen }: Opening): Promise<Send> {
  // GTK saves where the user's folders are named.
  mkdirSync(join(folder, ".config"));
  writeFileSync(join(folder, ".config", "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  // Its own buttons would keep a window from being as narrow as a phone.
  mkdirSync(join(folder, ".config", "gtk-3.0"));
  writeFileSync(
    join(folder, ".config", "gtk-3.0", "gtk.css"),
    "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border: 0; font-size: 1px; -gtk-icon-transform: scale(0); } button, entry, image { -gtk-icon-size: 1px; }\n",
  );
  const { width, height } = SCREENS[screen];
  const display = start("Xvfb", ["-displayfd", "1", "-screen", "0", `${width}x${height + 100}x24`, "-nolisten", "tcp"]);
  const [number] = (await once(display.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  const port = await freePort();
  start("WebKitWebDriver", [`--port=${port}`], {
    DISPLAY: `:${String(number).trim()}`,
    LIBGL_ALWAYS_SOFTWARE: "1",
    // Its sandbox needs user namespaces and no root.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } };
    if (!response.ok) throw new Error(`WebKit: ${path}: ${value?.error}: ${value?.message}`);
    return value as unknown;
  };
  const options = { binary: miniBrowser(), args: ["--automation"] };
  const { sessionId } = (await patiently(() =>
    call("POST", "/session", {
      capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options, acceptInsecureCerts: true } },
    }),
  )) as { sessionId: string };
  const send: Send = (command, params = {}, element = "") => {
    const [method = "", path = ""] = COMMANDS[command][0].split(" ");
    const below = path.replace("{id}", element);
    return call(method, `/session/${sessionId}${below && `/${below}`}`, method === "POST" ? params : undefined);
  };
  await send("size", { width, height });
  return send;
}

async function openFirefox({ folder, downloads, start, screen }: Opening): Promise<Send> {
  const { width, height } = SCREENS[screen];
  const profile = join(folder, "profile");
  mkdirSync(profile);
  const preferences = {
    "marionette.port": 0,
    "intl.accept_languages": "ru-RU, ru",
    "browser.download.folderList": 2,
    "browser.download.dir": downloads,
    "browser.download.useDownloadDir": true,
    "browser.download.always_ask_before_handling_new_types": false,
    "browser.shell.checkDefaultBrowser": false,
    "datareporting.policy.dataSubmissionEnabled": false,
    "app.update.enabled": false,
    "dom.push.connection.enabled": false,
  };
  writeFileSync(
    join(profile, "user.js"),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(""),
  );
  start(
    "firefox-esr",
    ["--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile", profile, "about:blank"],
    {
      MOZ_HEADLESS_WIDTH: String(width),
      MOZ_HEADLESS_HEIGHT: String(height),
    },
  );
  const port = await patiently(() => Number(readFileSync(join(profile, "MarionetteActivePort"), "utf8") || Number.NaN));
  const { call } = await marionette(port);
  await call("WebDriver:NewSession", { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  const send: Send = async (command, params = {}, element) => {
    const answer = await call(COMMANDS[command][1], {
      ...params,
      ...(element === undefined ? {} : { id: element }),
      ...(command === "execute" ? { sandbox: "default", newSandbox: false } : {}),
      ...(command === "picture" ? { full: false } : {}),
    });
    return answer !== null && typeof answer === "object" && "value" in answer ? answer.value : answer;
  };
  await send("size", { width, height });
  // Its window is never narrower than 500 px; a page may be.
  await call("Marionette:SetContext", { value: "chrome" });
  await call("WebDriver:ExecuteScript", {
    script: `const { style } = gBrowser.selectedBrowser;
      for (const of of ["minWidth", "maxWidth"]) style[of] = arguments[0] + "px";
      for (const of of ["minHeight", "maxHeight"]) style[of] = arguments[1] + "px";`,
    args: [width, height],
  });
  await call("Marionette:SetContext", { value: "content" });
  return send;
}

/** Marionette's transport: `length:JSON`, calls as [0, id, command, params], answers as [1, id, error, result]. */
async function marionette(port: number) {
  const socket: Socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  let unread = Buffer.alloc(0);
  let last = 0;
  const waiting = new Map<number, (answer: [unknown, unknown]) => void>();
  socket.on("data", (bytes) => {
    unread = Buffer.concat([unread, bytes]);
    for (;;) {
      const colon = unread.indexOf(":");
      const length = Number(unread.subarray(0, colon).toString());
      if (colon < 0 || unread.length < colon + 1 + length) return;
      const message: unknown = JSON.parse(unread.subarray(colon + 1, colon + 1 + length).toString());
      unread = unread.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue; // its greeting
      waiting.get(message[1])?.([message[2], message[3]]);
      waiting.delete(message[1]);
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    for (const settle of waiting.values()) settle([{ error: "it has ended" }, null]);
  });
  async function call(command: string, params: unknown): Promise<unknown> {
    const id = ++last;
    const message = JSON.stringify([0, id, command, params]);
    const answered = new Promise<[unknown, unknown]>((settle) => waiting.set(id, settle));
    socket.write(`${Buffer.byteLength(message)}:${message}`);
    const [error, result] = await answered;
    if (error) throw new Error(`Firefox: ${command}: ${JSON.stringify(error).slice(0, 500)}`);
    return result;
  }
  return { call };
}

/** Testing Library's queries, so that people's words find things here as in the tests of screens. */
const QUERIES = readFileSync(
  join(ROOT, "node_modules/@testing-library/dom/dist/@testing-library/dom.umd.min.js"),
  "utf8",
);

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

function asVisitor(
  send: Send,
  { baseURL, downloads, end }: { baseURL: string; downloads: string; end(): Promise<void> },
): OtherVisitor {
  async function find(wanted: Wanted): Promise<string | null> {
    const ask = () => run<unknown>(FIND, asJson(wanted));
    let found = await ask();
    if (found === NO_QUERIES) {
      await run(QUERIES);
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
    back: async () => void (await send("back")),
    see: async (wanted) =>
      patiently(async () => run<string>("return arguments[0].textContent", { [ELEMENT]: await found(wanted) })),
    lose: (wanted) =>
      patiently(async () => {
        if ((await find(wanted)) !== null) throw new Error(`still seen: ${describe(wanted)}`);
      }),
    isSeen: async (wanted) => (await find(wanted)) !== null,
    // A page that is drawn again between the two has another element.
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
    picture: async (file) => writeFileSync(file, Buffer.from(String(await send("picture")), "base64")),
    close: async () => {
      await send("end").catch(() => {});
      await end();
    },
  };
}

const describe = (wanted: Wanted) =>
  JSON.stringify(wanted, (_, value) => (value instanceof RegExp ? String(value) : value));

/** Until it throws no more. */
async function patiently<T>(ask: () => T | Promise<T>, patience = PATIENCE_MS): Promise<T> {
  for (const deadline = Date.now() + patience; ; await wait(100)) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}
