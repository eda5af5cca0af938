import { act, waitFor } from "@testing-library/react";
import { expect } from "vitest";
import { availability } from "../lib/availability.ts";

const well = () => document.querySelectorAll("main svg:is([data-state=on], [data-state=done]), main [data-state=good]");

/** Expects that what is shown as well no longer is when the panel does not answer, and is again when it does. */
export async function expectNothingWellInSilence(): Promise<void> {
  await waitFor(() => expect(well().length).toBeGreaterThan(0));
  act(() => availability.down());
  try {
    expect([...well()].map((sign) => sign.closest("li, div")?.textContent)).toEqual([]);
  } finally {
    act(() => availability.up());
  }
  await waitFor(() => expect(well().length).toBeGreaterThan(0));
}
