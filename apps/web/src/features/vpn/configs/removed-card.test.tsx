import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { AroundPart } from "../../../testing/render-part.tsx";
import { RemovedCard } from "./removed-card.tsx";

screens();

test.each([
  ["takes the focus from the heading, where the question left it", "heading", "Вернуть"],
  ["leaves it where somebody has moved it meanwhile", "textbox", "Поиск"],
] as const)("a deleted device's card that loads late %s", (_, role, focused) => {
  const page = (card: React.ReactNode) => (
    <AroundPart>
      <h1 tabIndex={-1}>Устройства</h1>
      <input aria-label="Поиск" />
      {card}
    </AroundPart>
  );
  const { rerender } = render(page(null));
  screen.getByRole(role).focus();
  rerender(page(<RemovedCard name="phone" leftS={60} unsure={false} busy={false} onRestore={() => {}} />));
  const { activeElement } = document;
  expect(activeElement?.textContent || activeElement?.getAttribute("aria-label")).toBe(focused);
});
