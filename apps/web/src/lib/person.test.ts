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

/** Modules with state that holds nothing about the signed-in person. */
const NOBODYS = [
  "features/access/security-gate/gate.ts", // what the visitor's address may do
  "features/club/undo/undo-toast.tsx", // a toast, which goes with its person
  "lib/availability.ts", // whether the panel answers
  "lib/begun.ts", // the connection to the browser's database
  "lib/club-clock.ts",
  "lib/code.ts", // parts of the application
  "lib/connection.ts",
  "lib/fetch-ahead.ts",
  "lib/i18n/later-words.ts", // parts whose English has not loaded
  "lib/layers.ts", // what lies over the page; goes with the screen
  "lib/person.ts", // this itself
  "lib/presence.ts", // when somebody last touched the page
  "lib/sample-data.ts", // samples
  "lib/sample-mode.ts",
  "lib/use-command.ts", // the command whose failure is being reported
  "lib/use-settled.ts", // whether the first screen is drawn
  "ui/connection-place.tsx", // where a screen shows the connection
  "ui/sheet.tsx", // what lies over the page
];

test("a module's state across screens belongs to nobody, or is reset with its person by ofPerson", () => {
  const kept =
    /^(?:export )?(?:let\b()|const (?!listeners|\w+Listeners)\w+(?:: [^=\n]+)? = new (?:Map|Set)(?:<.*>)?\(\)())/gm;
  const files = new Set(found(kept).map((line) => line.split(" ")[0]));
  expect([...files], "another one: ofPerson if it says anything of who is signed in, else a line above").toEqual(
    NOBODYS,
  );
});

test("only these touch browser storage: one place empties it all", () => {
  expect(found(/\b(sessionStorage|localStorage|indexedDB|document\.cookie|caches)\b(?=[.)])/g)).toEqual([
    "app/own-copy.tsx caches", // checks the owner before it writes
    "lib/begun.ts indexedDB", // the same
    "lib/browser-storage.ts caches",
    "lib/browser-storage.ts document.cookie",
    "lib/browser-storage.ts indexedDB",
    "lib/browser-storage.ts localStorage",
    "lib/browser-storage.ts sessionStorage",
  ]);
});
