import { act, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { availability } from "../lib/availability.ts";

const well = () => document.querySelectorAll("main svg:is([data-state=on], [data-state=done]), main [data-state=good]");

/** What the page claims about the present; filters may be called so at any time. */
function claims(): string {
  const main = document.querySelector("main")?.cloneNode(true) as HTMLElement;
  for (const control of main.querySelectorAll("label, option, legend")) control.remove();
  const said = [...main.querySelectorAll("*")].flatMap(({ childNodes }) =>
    [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? (node.textContent ?? "") : [])),
  );
  return said.filter((text) => /на\sсвязи|сейчас/i.test(text) && !/был[аио]?\sна\sсвязи/i.test(text)).join("\n");
}

/** Expects that what is shown as well no longer is when the panel does not answer, and is again when it does. */
export async function expectNothingWellInSilence(): Promise<void> {
  await waitFor(() => expect(well().length).toBeGreaterThan(0));
  act(() => availability.down());
  try {
    expect([...well()].map((sign) => sign.closest("li, div")?.textContent)).toEqual([]);
    expect(claims()).toBe("");
  } finally {
    act(() => availability.up());
  }
  await waitFor(() => expect(well().length).toBeGreaterThan(0));
}
