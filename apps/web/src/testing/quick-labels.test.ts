import { expect, onTestFinished, test } from "vitest";
import { labelsOf } from "./quick-labels.ts";

const PAGE = `
  <label for="name">Name</label><label for="name">Also the name</label><input id="name">
  <label>Around <input id="inside"><input id="second"></label>
  <label for="elsewhere">For another <input id="not-its-own"></label><select id="elsewhere"></select>
  <label for="">Nothing <input id="for-nothing"></label>
  <label for="twice">First</label><textarea id="twice"></textarea><textarea id="twice"></textarea>
  <label for="secret">No label reaches it</label><input type="hidden" id="secret">
  <label for="press">A button</label><button id="press">Press</button><button>No label</button>
  <label for="absent">Nobody</label><label for="plain">A text</label><p id="plain"></p>`;

test("a control has the labels that jsdom finds", () => {
  // A window of its own, with jsdom's way to find them.
  const page = document.body.appendChild(document.createElement("iframe")).contentDocument;
  onTestFinished(() => document.body.replaceChildren());
  if (page === null) throw new Error("a frame without a page");
  page.body.innerHTML = PAGE;
  const controls = [...page.querySelectorAll<HTMLInputElement>("input, select, textarea, button")];
  const own = controls.map(({ labels }) => labels && [...labels]);
  expect(own.flatMap((labels) => labels ?? []).length).toBeGreaterThan(5);
  expect(controls.map(labelsOf)).toEqual(own);
});
