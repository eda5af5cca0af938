import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { renderPart } from "../testing/render-part.tsx";
import { MoreMenu } from "./more-menu.tsx";
import { PasswordField } from "./password-field.tsx";
import { Sheet } from "./sheet.tsx";

screens();

const focusIs = (name: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(name));

/** A sheet whose content the test changes. */
function openSheet() {
  let next: (content: React.ReactNode) => void = () => {};
  function Changing() {
    const [content, setContent] = useState<React.ReactNode>(<p>Загрузка</p>);
    next = setContent;
    return (
      <Sheet onClose={() => {}} title="Окно">
        {content}
      </Sheet>
    );
  }
  renderPart(<Changing />);
  return (content: React.ReactNode) => next(content);
}
const closeHasFocus = () => waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Закрыть"));

test("late content gets the focus instead of the close button", async () => {
  const change = openSheet();
  await closeHasFocus();
  change(<button type="button">Первая</button>);
  await focusIs("Первая");
});

test("once somebody has moved in the sheet, late content leaves the focus where it is", async () => {
  const change = openSheet();
  await closeHasFocus();
  await userEvent.keyboard("{Tab}");
  change(<button type="button">Первая</button>);
  await screen.findByText("Первая");
  expect(document.activeElement?.textContent).not.toBe("Первая");
});

test("the focus stays in the sheet when the focused element is removed or disabled", async () => {
  const change = openSheet();
  change(<button type="button">Дальше</button>);
  await focusIs("Дальше");
  change(<input aria-label="Код" />);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Код")));
  change(<p>Готово</p>);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("dialog")));
});

test("a dialog that a menu opened returns the focus to the menu's button", async () => {
  function Page() {
    const [isOpen, setIsOpen] = useState(false);
    return (
      <>
        <MoreMenu label="Действия" groups={[[{ label: "Изменить", onClick: () => setIsOpen(true) }]]} />
        {isOpen && (
          <Sheet onClose={() => setIsOpen(false)} title="Окно">
            <button type="button">Внутри</button>
          </Sheet>
        )}
      </>
    );
  }
  renderPart(<Page />);
  screen.getByRole("button", { name: "Действия" }).focus();
  await userEvent.keyboard("{Enter}");
  await focusIs("Изменить");
  await userEvent.keyboard("{Enter}");
  await focusIs("Внутри");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement?.getAttribute("aria-label")).toBe("Действия"));
});

test("a dialog that replaced another one returns the focus to what opened the first", async () => {
  function Page() {
    const [shown, show] = useState<"form" | "file" | null>(null);
    return (
      <>
        <button type="button" onClick={() => show("form")}>
          Изменить
        </button>
        {shown === "form" && (
          <Sheet onClose={() => show(null)} title="Форма">
            <button type="button" onClick={() => show("file")}>
              Сохранить
            </button>
          </Sheet>
        )}
        {shown === "file" && (
          <Sheet onClose={() => show(null)} title="Файл">
            <button type="button">Скачать</button>
          </Sheet>
        )}
      </>
    );
  }
  renderPart(<Page />);
  screen.getByText("Изменить").focus();
  await userEvent.keyboard("{Enter}");
  await focusIs("Сохранить");
  await userEvent.keyboard("{Enter}");
  await focusIs("Скачать");
  await userEvent.keyboard("{Escape}");
  await focusIs("Изменить");
});

test("Tab in a dialog also reaches the button that shows a password", async () => {
  renderPart(
    <Sheet onClose={() => {}} title="Окно">
      <form>
        <PasswordField label="Пароль" autoComplete="current-password" whose="marina" />
      </form>
    </Sheet>,
  );
  (await screen.findByLabelText("Пароль")).focus();
  await userEvent.tab();
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Показать пароль");
});
