import { renderHook } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Providers } from "../app/providers.tsx";
import { ru } from "../lib/i18n/ru.ts";
import { makeQueryClient } from "../lib/query-client.ts";
import { screens } from "../testing/open-page.tsx";
import { panel } from "../testing/panel.ts";
import { useMaySave } from "./use-may-save.ts";

vi.mock("../lib/in-app-browser.ts", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});
screens();

test("without a connection the file's own request tells why it failed", async () => {
  panel({});
  const { result } = renderHook(useMaySave, {
    wrapper: ({ children }) => (
      <Providers
        queryClient={makeQueryClient({ signedOut: () => {}, underMaintenance: () => {} })}
        spoken={{ language: "ru", text: ru }}
        env="test"
      >
        {children}
      </Providers>
    ),
  });
  expect(await result.current()).toBe(true);
});
