import { Button } from "@mantine/core";

interface Props {
  text: string;
  /** The label of the button that clears search and filters. */
  clear: string;
  onClear: () => void;
}

/** A list without results for its search and filters. */
export const NothingFound = ({ text, clear, onClear }: Props) => (
  <>
    <p>{text}</p>
    <Button variant="outline" style={{ marginTop: 16 }} onClick={onClear}>
      {clear}
    </Button>
  </>
);
