import { Button, type ButtonProps } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

interface Props extends ButtonProps {
  onClick: () => void;
  onPointerEnter: () => void;
  children: string;
}

export function CreateButton(props: Props) {
  return <Button leftSection={<IconPlus size={20} stroke={1.6} aria-hidden="true" />} {...props} />;
}
