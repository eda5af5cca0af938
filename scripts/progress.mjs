/** How often a terminal's status line is rewritten, and how often a line is printed elsewhere. */
const LIVE_MS = 200;
const LINES_MS = 15_000;

/** Running tasks, each as a few words that change. @type {Set<() => string>} */
const going = new Set();
/** A line may be rewritten only if nothing else writes to the terminal. */
let isLive = false;
/** @type {NodeJS.Timeout | undefined} */
let timer;
let shown = "";

/** From now on running tasks share one line that is rewritten, if there is a terminal. */
export function takeTerminal() {
  isLive = process.stdout.isTTY === true;
}

/**
 * Shows a task until `work` ends. Without a terminal: its first words at once, later ones now and then.
 * @template T
 * @param {() => string} words  including what remains
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function showing(words, work) {
  going.add(words);
  if (isLive) draw();
  else console.log(words());
  timer ??= setInterval(isLive ? draw : sayAgain, isLive ? LIVE_MS : LINES_MS).unref();
  try {
    return await work();
  } finally {
    going.delete(words);
    if (isLive) draw();
    if (going.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  }
}

/** Prints a line that stays. @param {string} line */
export function say(line) {
  wipe();
  console.log(line);
  if (isLive) draw();
}

/** Ends the rewritten line, before something else writes to the terminal. */
export function leaveTerminal() {
  wipe();
  isLive = false;
}

function draw() {
  const text = [...going].map((words) => words()).join("; ");
  if (text === shown) return;
  wipe();
  shown = text;
  // A longer one would take a second line, which would not be rewritten. Some terminals report a width of 0.
  process.stdout.write(text.slice(0, (process.stdout.columns || 80) - 1));
}

function wipe() {
  if (isLive && shown !== "") process.stdout.write("\r\u001b[2K");
  shown = "";
}

function sayAgain() {
  for (const words of going) console.log(words());
}
