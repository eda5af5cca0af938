import { Menu } from "@mantine/core";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import { cloneElement, type ReactElement, useLayoutEffect, useRef, useState } from "react";
import classes from "./menu.module.css";

export type Items = typeof Menu;

export interface MenuProps {
  /** What opens it. */
  button: ReactElement<React.ComponentProps<"button">>;
  closeOnItemClick?: boolean;
  /** The lines, made of the library's parts, which load with the menu. */
  children: (parts: Items) => React.ReactNode;
}

/** A menu that opens as soon as it appears: inside the page's main landmark for screen readers, with its first item focused. */
export function OpeningMenu({ button, children, closeOnItemClick = true }: MenuProps) {
  const ref = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(false);
  useLayoutEffect(() => {
    // It takes the place of the button that was pressed, and gets the focus back when the menu closes.
    ref.current?.focus({ preventScroll: true });
    setOpened(true);
  }, []);
  return (
    <Menu
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      offset={4}
      loop
      portalProps={{ target: "main" }}
      withInitialFocusPlaceholder={false}
      classNames={classes}
      closeOnItemClick={closeOnItemClick}
    >
      <Menu.Target>{cloneElement(button, { ref })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}
