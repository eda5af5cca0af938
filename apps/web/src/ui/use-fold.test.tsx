import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { renderPart } from "../testing/render-part.tsx";
import { useFold } from "./use-fold.tsx";

screens();

const DEAD = 150;

function Servers({ count }: { count: number }) {
  const { shown, more } = useFold(
    Array.from({ length: count }, (_, n) => n),
    (n) => n === DEAD,
  );
  return (
    <>
      <p>{shown.join(" ")}</p>
      {more}
    </>
  );
}

const show = (count: number) => renderPart(<Servers count={count} />);
const shown = () => document.querySelector("p")?.textContent?.split(" ") ?? [];

test("of 200 rows ten show, what needs attention first, and a press shows all and ten again", async () => {
  show(200);
  expect(shown()).toEqual(["150", "0", "1", "2", "3", "4", "5", "6", "7", "8"]);
  await userEvent.click(screen.getByRole("button", { name: "Показать все: 200", expanded: false }));
  expect(shown()).toHaveLength(200);
  expect(shown()[0]).toBe("150");
  await userEvent.click(screen.getByRole("button", { name: "Свернуть", expanded: true }));
  expect(shown()).toHaveLength(10);
});

test("a short list shows whole and in its order", () => {
  show(10);
  expect(shown()).toHaveLength(10);
  expect(screen.queryByRole("button")).toBeNull();
});
