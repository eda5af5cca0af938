import { cloneElement, useState, useSyncExternalStore } from "react";
import { makeCode } from "../lib/code.ts";
import { Coming } from "./coming.tsx";
import type { MenuProps } from "./menu.tsx";

export type { Items } from "./menu.tsx";

/** With it comes what positions it: more code than the rest of a list. */
export const menuCode = makeCode(() => import("./menu.tsx").then((module) => module.OpeningMenu), { reloads: false });

const never = () => () => {};

/** A button with a menu, whose code is fetched when somebody is about to press it, or before. */
export function MenuButton({ button, ...menu }: MenuProps) {
  const [pressed, setPressed] = useState(false);
  const { value: OpeningMenu, trouble } = useSyncExternalStore(pressed ? menuCode.listen : never, menuCode.state);
  if (pressed && OpeningMenu) return <OpeningMenu button={button} {...menu} />;
  const load = () => void menuCode.load();
  return (
    <>
      {cloneElement(button, {
        "aria-haspopup": "menu",
        "aria-expanded": false,
        onClick: () => setPressed(true),
        onPointerEnter: load,
        onFocus: load,
      })}
      {pressed && <Coming trouble={trouble} onClose={() => setPressed(false)} />}
    </>
  );
}
