import { ActionIcon, Menu } from "@mantine/core";
import { type Icon, IconDotsVertical } from "@tabler/icons-react";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import { Fragment } from "react";
import classes from "./more-menu.module.css";

/** How every menu behaves: inside the page's main landmark for screen readers, with its first item focused. */
export const menuManner = {
  position: "bottom-end",
  offset: 4,
  loop: true,
  portalProps: { target: "main" },
  withInitialFocusPlaceholder: false,
  classNames: classes,
} as const;

export interface MenuAction {
  label: string;
  icon?: Icon;
  onClick: () => void;
  danger?: boolean;
  /** Why it cannot be done now: shown below, once for a group. Pressing it does nothing. */
  reason?: string | null;
}

/** Actions behind one button. Groups are separated by a line, and an empty menu has no button. */
export function MoreMenu({ label, groups }: { label: string; groups: readonly (readonly MenuAction[])[] }) {
  const filled = groups.filter((group) => group.length > 0);
  if (filled.length === 0) return null;
  return (
    <Menu {...menuManner}>
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <IconDotsVertical size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {filled.map((group, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
          <Fragment key={place}>
            {place > 0 && <Menu.Divider />}
            {group.map(({ label: words, icon: Sign, onClick, danger, reason }, line) => (
              <Menu.Item
                key={words}
                {...(reason ? { "aria-disabled": true, closeMenuOnClick: false } : { onClick })}
                data-danger={danger || undefined}
                leftSection={Sign && <Sign size={18} stroke={1.6} aria-hidden="true" />}
              >
                {words}
                {reason && group[line + 1]?.reason !== reason && <span className={classes.reason}>{reason}</span>}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
