import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";
import { panel } from "../testing/panel.ts";

screens();
afterEach(() => void Reflect.deleteProperty(document, "elementFromPoint"));

test("on every page a second press is held from what has come under the finger", async () => {
  panel({});
  openPage("/login");
  const pressed = await screen.findByRole("button", { name: "Войти" });
  const shown = document.body.lastElementChild;
  document.elementFromPoint = () => screen.getByRole("button", { name: "Потеряли телефон?" });
  await waitFor(() => {
    fireEvent.click(pressed, { detail: 1 });
    return waitFor(() => expect(document.body.lastElementChild).not.toBe(shown), { timeout: 200 });
  });
});
