import { afterEach, beforeEach, expect, test, vi } from "vitest";

const { isTTY, columns } = process.stdout;
let written = "";
beforeEach(() => {
  written = "";
  vi.resetModules();
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written += text;
    return true;
  });
  vi.spyOn(console, "log").mockImplementation((line) => {
    written += `${line}\n`;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  Object.assign(process.stdout, { isTTY, columns });
});

/** Work that runs until it is ended. */
function work() {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}
/** What a terminal finally shows. */
const onScreen = () =>
  written
    .split("\n")
    .map((line) => line.split("\r\u001b[2K").at(-1))
    .join("\n");

test("on a terminal one line shows the running task and what remains, is rewritten, and leaves nothing behind", async () => {
  vi.useFakeTimers();
  Object.assign(process.stdout, { isTTY: true, columns: 30 });
  const { say, showing, takeTerminal } = await import("./progress.mjs");
  takeTerminal();
  let done = 0;
  const { over, end } = work();
  const shown = showing(
    () => `Installing: ${done} of 3, ${3 - done} to go`,
    () => over,
  );
  expect(onScreen()).toBe("Installing: 0 of 3, 3 to go");
  done = 2;
  vi.advanceTimersByTime(1_000);
  expect(onScreen()).toBe("Installing: 2 of 3, 1 to go");
  say("a line that stays");
  expect(onScreen()).toBe("a line that stays\nInstalling: 2 of 3, 1 to go");
  end();
  await shown;
  expect(onScreen()).toBe("a line that stays\n");
});

test("a line that would not fit is cut, since a second one would not be rewritten", async () => {
  Object.assign(process.stdout, { isTTY: true, columns: 10 });
  const { showing, takeTerminal } = await import("./progress.mjs");
  takeTerminal();
  await showing(
    () => "0123456789",
    async () => expect(onScreen()).toBe("012345678"),
  );
});

test("a terminal that does not know its width shows the whole line", async () => {
  Object.assign(process.stdout, { isTTY: true, columns: 0 });
  const { showing, takeTerminal } = await import("./progress.mjs");
  takeTerminal();
  await showing(
    () => "Building (0 s)",
    async () => expect(onScreen()).toBe("Building (0 s)"),
  );
});

test("elsewhere it prints lines without control characters, the first at once and then now and then", async () => {
  vi.useFakeTimers();
  Object.assign(process.stdout, { isTTY: false });
  const { showing, takeTerminal } = await import("./progress.mjs");
  takeTerminal();
  let done = 0;
  const { over, end } = work();
  const shown = showing(
    () => `${done} of 3`,
    () => over,
  );
  done = 1;
  vi.advanceTimersByTime(16_000);
  end();
  await shown;
  expect(written).toBe("0 of 3\n1 of 3\n");
});

test("a process that shares the terminal rewrites nothing there", async () => {
  Object.assign(process.stdout, { isTTY: true, columns: 80 });
  const { showing } = await import("./progress.mjs");
  await showing(
    () => "Building",
    async () => {},
  );
  expect(written).toBe("Building\n");
});
