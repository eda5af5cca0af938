import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { member } from "../../../testing/samples.ts";

screens();

test("the landing page says what the club is and links to sign-in and registration", async () => {
  panel({});
  const { user, address } = openPage("/");
  expect(await screen.findByRole("heading", { level: 1 })).toHaveProperty(
    "textContent",
    "Закрытый клуб для тех, кто ценит свободу и безопасность ",
  );
  for (const promise of ["Приватность", "Свобода", "Эксклюзивность"]) {
    expect(screen.getByRole("heading", { name: promise })).toBeTruthy();
  }
  expect(screen.getByRole("link", { name: "Регистрация по приглашению" }).getAttribute("href")).toBe("/register");
  await user.click(screen.getByRole("link", { name: "Войти" }));
  await waitFor(() => expect(address()).toBe("/login"));
  expect(await screen.findByRole("heading", { name: "Вход" })).toHaveProperty("ownerDocument.title", "Вход · Круг");
});

/** The page comes with the answer to who is asking. */
function knownAtFirst() {
  const answers = document.createElement("script");
  answers.id = "first-answers";
  answers.type = "application/json"; // as the worker writes it; a script would be run
  answers.textContent = JSON.stringify({ "/auth/me": member() });
  document.head.append(answers);
}

test("a signed-in person gets a link to their devices, and neither of the two", async () => {
  knownAtFirst();
  panel({ "GET /auth/me": member(), "GET /vpn/configs": [], "GET /vpn/available-interfaces": [] });
  const { user, address } = openPage("/");
  const door = await screen.findByRole("link", { name: "К моим устройствам" });
  expect(screen.queryByRole("link", { name: "Регистрация по приглашению" })).toBeNull();
  expect(screen.queryByRole("link", { name: "Войти" })).toBeNull();
  await user.click(door);
  await waitFor(() => expect(address()).toBe("/dashboard"));
});

test("it is a guest's page again once its person has signed out in another tab", async () => {
  knownAtFirst();
  panel({ "GET /auth/me": refused(401, "auth.required", "Войдите, чтобы продолжить.") });
  openPage("/");
  await screen.findByRole("link", { name: "К моим устройствам" });
  const other = new BroadcastChannel("krug.person");
  other.postMessage(null);
  await screen.findByRole("link", { name: "Войти" });
  expect(screen.queryByRole("link", { name: "К моим устройствам" })).toBeNull();
  other.close();
});

test("the whole page changes its language, and the browser remembers it", async () => {
  panel({});
  const { user } = openPage("/");
  await user.click(await screen.findByRole("button", { name: "English" }));
  expect(await screen.findByRole("link", { name: "Register by invitation" })).toBeTruthy();
  expect(document.documentElement.lang).toBe("en");
  expect(localStorage.getItem("krug.language")).toBe("en");
});

test("a language chosen in another tab is shown here too", async () => {
  panel({});
  openPage("/");
  await screen.findByRole("button", { name: "English" });
  act(() => void dispatchEvent(new StorageEvent("storage", { key: "krug.language", newValue: "en" })));
  expect(await screen.findByRole("link", { name: "Register by invitation" })).toBeTruthy();
});

test("the theme changes and is stored where the page reads it before its first paint", async () => {
  panel({});
  const { user } = openPage("/");
  await user.click(await screen.findByRole("button", { name: "Светлая тема" }));
  expect(document.documentElement.getAttribute("data-mantine-color-scheme")).toBe("light");
  expect(localStorage.getItem("krug.theme")).toBe("light");
});

test("an unknown address leads to the landing page, /404 says that nothing is there", async () => {
  panel({});
  const { address } = openPage("/no/such/page");
  await waitFor(() => expect(address()).toBe("/"));
  openPage("/404");
  expect(await screen.findByRole("heading", { name: "Такой страницы нет" })).toBeTruthy();
});
