/** How often a line that stays on the terminal is written again, and how often one elsewhere is followed by the next. */
const LIVE_MS = 200;
const LINES_MS = 15_000;

/** What goes on, each in a few words that change. @type {Set<() => string>} */
const going = new Set();
/** Only who has the terminal alone may rewrite a line there. */
let isLive = false;
/** @type {NodeJS.Timeout | undefined} */
let timer;
let shown = "";

/** From now on what goes on is one line that is rewritten, where there is a terminal. */
export function takeTerminal() {
  isLive = process.stdout.isTTY === true;
}

/**
 * Shows what goes on until `work` ends. Elsewhere than on a terminal: its first words at once, later ones now and then.
 * @template T
 * @param {() => string} words  with what remains
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

/** A line that stays. @param {string} line */
export function say(line) {
  wipe();
  console.log(line);
  if (isLive) draw();
}

/** Ends the line that is rewritten, for whoever writes to the terminal next. */
export function leaveTerminal() {
  wipe();
  isLive = false;
}

function draw() {
  const text = [...going].map((words) => words()).join("; ");
  if (text === shown) return;
  wipe();
  shown = text;
  // A longer one would take a second line, which is not rewritten. Some terminals say 0.
  process.stdout.write(text.slice(0, (process.stdout.columns || 80) - 1));
}

function wipe() {
  if (isLive && shown !== "") process.stdout.write("\r\u001b[2K");
  shown = "";
}

function sayAgain() {
  for (const words of going) console.log(words());
}
