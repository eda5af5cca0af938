import { expect, test } from "vitest";

const sources = Object.entries(
  import.meta.glob<string>("../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true }),
)
  .map(([path, text]) => ({ file: path.replace(/^\.\.\//, "").replace(/^\.\//, "lib/"), text }))
  .filter(({ file }) => !/\.test\.tsx?$|^testing\//.test(file));

const found = (pattern: RegExp) =>
  [
    ...new Set(sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name]) => `${file} ${name}`))),
  ].sort();

/** Files whose modules keep something, and none of it says anything of who is signed in. */
const NOBODYS = [
  "features/access/security-gate/gate.ts", // what the visitor's address may
  "lib/availability.ts", // whether the panel answers
  "lib/begun.ts", // the way to the browser's database
  "lib/club-clock.ts",
  "lib/code.ts", // parts of the application
  "lib/connection.ts",
  "lib/fetch-ahead.ts",
  "lib/layers.ts", // what lies over the page; goes with the screen
  "lib/person.ts", // this itself
  "lib/presence.ts", // when somebody last touched the page
  "lib/sample-data.ts", // samples
  "lib/sample-mode.ts",
  "lib/use-settled.ts", // whether the first screen stands
  "ui/connection-place.tsx", // where a screen shows the connection
  "ui/sheet.tsx", // what lies over the page
];

test("what a module keeps from screen to screen is nobody's, or goes with its person by ofPerson", () => {
  const kept =
    /^(?:export )?(?:let\b()|const (?!listeners|\w+Listeners)\w+(?:: [^=\n]+)? = new (?:Map|Set)(?:<.*>)?\(\)())/gm;
  const files = new Set(found(kept).map((line) => line.split(" ")[0]));
  expect([...files], "another one: ofPerson if it says anything of who is signed in, else a line above").toEqual(
    NOBODYS,
  );
});

test("only these touch what a browser keeps: one place empties it all", () => {
  expect(found(/\b(sessionStorage|localStorage|indexedDB|document\.cookie|caches)\b(?=[.)])/g)).toEqual([
    "app/own-copy.tsx caches", // asks whose it is before it writes
    "lib/begun.ts indexedDB", // the same
    "lib/browser-storage.ts caches",
    "lib/browser-storage.ts document.cookie",
    "lib/browser-storage.ts indexedDB",
    "lib/browser-storage.ts localStorage",
    "lib/browser-storage.ts sessionStorage",
  ]);
});
