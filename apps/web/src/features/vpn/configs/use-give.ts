import { useState } from "react";
import { type Given, openFile, saveFile } from "../../../lib/save-file.ts";
import { useMaySave } from "../../../ui/use-may-save.ts";

/**
 * Gives the one file that has the key: to an app where this is its phone (`isHere`), else among the downloads. `onTaken` hears that
 * the person has it; with the choice of apps closed it is on the page alone.
 */
export function useGive(isHere: boolean, onTaken: () => void) {
  const maySave = useMaySave();
  const [given, setGiven] = useState<Given | null>(null);
  const give = async (config: string, name: string) => {
    if (!(await maySave(isHere))) return setGiven("closed");
    const file = new Blob([config], { type: "application/octet-stream" });
    const how = await (isHere ? openFile : saveFile)(file, `${name}.conf`);
    setGiven(how);
    if (how !== "closed") onTaken();
  };
  return { given, give, forget: () => setGiven(null) };
}
