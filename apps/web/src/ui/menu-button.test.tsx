import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { renderPart } from "../testing/render-part.tsx";
import { menuCode } from "./menu-button.tsx";
import { MoreMenu } from "./more-menu.tsx";

screens();

const focusIs = (name: string) => waitFor(() => expect(document.activeElement?.textContent).toContain(name));

test("a menu whose code comes late opens by the press that asked for it, and gives the focus back", async () => {
  await menuCode.load();
  const state = vi.spyOn(menuCode, "state").mockReturnValue({ value: null, trouble: null });
  let arrive = () => {};
  vi.spyOn(menuCode, "listen").mockImplementation((listener) => {
    arrive = listener;
    return () => {};
  });
  const onClick = vi.fn();
  renderPart(<MoreMenu label="Ещё" groups={[[{ label: "Удалить", onClick }]]} />);
  const user = userEvent.setup();
  const button = screen.getByLabelText("Ещё");
  await user.click(button);
  expect(screen.getByLabelText("Ещё")).toBe(button);
  expect(document.activeElement).toBe(button);
  expect(screen.queryByRole("menu")).toBeNull();

  state.mockRestore();
  act(() => arrive());
  await focusIs("Удалить");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Ещё"));
  expect(document.activeElement?.getAttribute("aria-expanded")).toBe("false");

  await user.click(screen.getByLabelText("Ещё"));
  await user.click(await screen.findByText("Удалить"));
  expect(onClick).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
