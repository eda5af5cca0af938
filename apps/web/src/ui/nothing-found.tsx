import { Button } from "@mantine/core";

interface Props {
  text: string;
  /** The words on the button that takes search and filters back. */
  clear: string;
  onClear: () => void;
}

/** A list that is empty for what was asked of it. */
export const NothingFound = ({ text, clear, onClear }: Props) => (
  <>
    <p>{text}</p>
    <Button variant="outline" mt={16} onClick={onClear}>
      {clear}
    </Button>
  </>
);
