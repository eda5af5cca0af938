import { useState } from "react";
import { openFile } from "../../../lib/open-file.ts";
import { type Given, saveFile } from "../../../lib/save-file.ts";
import { useMaySave } from "../../../ui/use-may-save.ts";

/**
 * Gives the only file that has the key: to an app on its own phone (`isHere`), otherwise to the downloads. `onTaken` is called once
 * the person has it. If they close the choice of apps, it is still only on the page.
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
