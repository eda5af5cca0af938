import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { panel } from "../testing/panel.ts";
import { AroundPart } from "../testing/render-part.tsx";
import { useMaySave } from "./use-may-save.ts";

vi.mock("../lib/in-app-browser.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});
screens();

test("without a connection the file's own request tells why it failed", async () => {
  panel({});
  const { result } = renderHook(useMaySave, {
    wrapper: ({ children }) => <AroundPart>{children}</AroundPart>,
  });
  expect(await result.current()).toBe(true);
});
