type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** Picks the word that goes with a number: `count(5)` of ru { one: "устройство", few: "устройства", … } is "5 устройств". */
export function counter(language: "ru" | "en", forms: Forms) {
  const rules = new Intl.PluralRules(language);
  return (count: number) => `${count}\u00a0${forms[rules.select(count)] ?? forms.other}`;
}
