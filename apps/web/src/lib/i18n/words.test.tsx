import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeCode, useCode } from "../code.ts";
import { ru } from "./ru.ts";
import { SpeechProvider, useSpeech } from "./use-text.tsx";
import { makeWords } from "./words.ts";

// How soon it tries again is not what is tested.
vi.mock("../wait.ts", () => ({ wait: () => new Promise((done) => setTimeout(done, 20)) }));

const RUSSIAN = { hello: "Привет" };
const ENGLISH = { hello: "Hello" };

let speak: (language: "ru" | "en") => Promise<void>;
function Switch() {
  speak = useSpeech().speak;
  return null;
}
const show = (part: React.ReactNode) =>
  render(
    <SpeechProvider first={{ language: "ru", text: ru }}>
      <Switch />
      <main>{part}</main>
    </SpeechProvider>,
  );
const shown = () => screen.getByRole("main").textContent;
beforeEach(() => {
  document.documentElement.lang = "ru";
});
afterEach(async () => {
  await act(() => speak("ru"));
  cleanup();
});

test("a part's English texts are fetched when the page turns to English, and are there when it does", async () => {
  const english = vi.fn(async () => ENGLISH);
  const useWords = makeWords(RUSSIAN, english);
  const Part = () => `${useSpeech().language}: ${useWords().hello}`;
  show(<Part />);
  expect(english).not.toHaveBeenCalled();
  expect(shown()).toBe("ru: Привет");
  await act(() => speak("en"));
  expect(shown()).toBe("en: Hello");
  await act(() => speak("ru"));
  await act(() => speak("en"));
  expect(english).toHaveBeenCalledOnce();
});

test("a part that loads later comes with the texts of the language that is spoken, or being fetched", async () => {
  const code = makeCode(async () => makeWords(RUSSIAN, async () => ENGLISH), { ahead: false });
  const Part = ({ useWords }: { useWords: () => typeof RUSSIAN }) => useWords().hello;
  const Later = () => {
    const { value } = useCode(code);
    return value && <Part useWords={value} />;
  };
  show(null);
  const turning = speak("en");
  const loading = code.load();
  await act(() => Promise.all([turning, loading]));
  cleanup();
  document.documentElement.lang = "en";
  render(
    <SpeechProvider first={{ language: "en", text: ru as never }}>
      <Switch />
      <main>
        <Later />
      </main>
    </SpeechProvider>,
  );
  expect(shown()).toBe("Hello");
});

test("the page stays in Russian until the English texts of every part have come", async () => {
  let isSilent = true;
  const useWords = makeWords(RUSSIAN, async () => {
    if (isSilent) throw new TypeError("Failed to fetch");
    return ENGLISH;
  });
  const Part = () => `${useSpeech().isAwaiting ? "awaiting: " : ""}${useWords().hello}`;
  show(<Part />);
  let turning: Promise<void> | undefined;
  act(() => {
    turning = speak("en");
  });
  await waitFor(() => expect(shown()).toBe("awaiting: Привет"));
  isSilent = false;
  await act(async () => turning);
  expect(shown()).toBe("Hello");
});
