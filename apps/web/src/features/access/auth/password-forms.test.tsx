import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { panel } from "../../../testing/panel.ts";
import { passwordFormProblems } from "../../../testing/password-forms.ts";

// testing/open-page.tsx checks every form after each screen test.
screens();

const fields = () =>
  [...document.querySelectorAll<HTMLInputElement>("input")]
    .map(({ autocomplete, value }) => (value ? `${autocomplete}: ${value}` : autocomplete))
    .filter((name) => /username|password/.test(name));

test("the sign-in asks for the saved password", async () => {
  panel({});
  openPage("/login");
  await screen.findByLabelText("Пароль");
  expect(fields()).toEqual(["username", "current-password"]);
});

test("a password set with a link is saved under the link's username", async () => {
  panel({});
  openPage("/password#user=marina_l&token=fresh");
  await screen.findByLabelText("Пароль");
  expect(fields()).toEqual(["username: marina_l", "new-password", "new-password"]);
});

test("the first administrator's is saved under the typed username", async () => {
  panel({});
  openPage("/setup#token=fresh");
  await screen.findByLabelText("Пароль");
  expect(fields()).toEqual(["username", "new-password", "new-password"]);
});

test("a form without a name, or with a field of neither kind, is found", () => {
  document.body.innerHTML =
    '<form><input type="hidden" autocomplete="username"><label>Old<input type="password" autocomplete="current-password"></label></form>' +
    '<form><input autocomplete="username"><label>New<input type="password"></label></form>' +
    '<form><label>Machine<input type="password" autocomplete="off"></label></form>';
  expect(passwordFormProblems()).toEqual([
    `Old in ${location.pathname}: nobody's`,
    `New in ${location.pathname}: neither old nor new`,
  ]);
  document.body.innerHTML = "";
});
