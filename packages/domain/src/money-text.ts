/** '300 ₽' for '300' and 'RUB', '10,99 ₽' for '10.99'. */
export function moneyText(amount: string, currency: string, language: "ru" | "en"): string {
  const places = amount.includes(".") ? 2 : 0;
  const look = {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  } as const;
  return new Intl.NumberFormat(language === "en" ? "en-GB" : "ru", look).format(Number(amount));
}
