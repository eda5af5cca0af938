import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Providers } from "../../../app/providers.tsx";
import { ru } from "../../../lib/i18n/ru.ts";
import { makeQueryClient } from "../../../lib/query-client.ts";
import { screens } from "../../../testing/open-page.tsx";
import { RemovedCard } from "./removed-card.tsx";

screens();

test.each([
  ["takes the focus from the heading, where the question left it", "heading", "Вернуть"],
  ["leaves it where somebody has moved it meanwhile", "textbox", "Поиск"],
] as const)("a deleted device's card that loads late %s", (_, role, focused) => {
  const page = (card: React.ReactNode) => (
    <Providers
      queryClient={makeQueryClient({ signedOut: () => {}, underMaintenance: () => {} })}
      spoken={{ language: "ru", text: ru }}
      env="test"
    >
      <h1 tabIndex={-1}>Устройства</h1>
      <input aria-label="Поиск" />
      {card}
    </Providers>
  );
  const { rerender } = render(page(null));
  screen.getByRole(role).focus();
  rerender(page(<RemovedCard name="phone" leftS={60} unsure={false} busy={false} onRestore={() => {}} />));
  const { activeElement } = document;
  expect(activeElement?.textContent || activeElement?.getAttribute("aria-label")).toBe(focused);
});
