import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";

screens();
afterEach(() => vi.restoreAllMocks());

const browserOf = (...languages: string[]) => vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);

test("a browser without Russian is offered English, once", async () => {
  browserOf("de-DE", "de");
  const { user } = await openPage("/login");
  await user.click(await screen.findByRole("button", { name: "Read in English" }));
  await waitFor(() => expect(document.documentElement.lang).toBe("en"));
  expect(screen.queryByText("This page is also in English.")).toBeNull();
});

test("a visitor who closes the offer is not asked again", async () => {
  browserOf("de-DE", "de");
  const { user } = await openPage("/login");
  await screen.findByText("This page is also in English.");
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText("This page is also in English.")).toBeNull();
  expect(localStorage.getItem("krug.language")).toBe("ru");
});

test("a browser with Russian among its languages is offered nothing", async () => {
  browserOf("en-US", "ru");
  await openPage("/login");
  await screen.findByRole("button", { name: "Войти" });
  expect(screen.queryByText("This page is also in English.")).toBeNull();
});
