import { folded } from '../../platform/folded.ts'
import { formatNumber } from '../../platform/language.ts'

/** Formats a price in a currency (ISO code) if it is a number; otherwise returns it as written. */
export function priceIn(currency: string | null | undefined, price: string | null) {
  const amount = folded(price ?? '')
    .trim()
    .replace(/٫|,(?=\d{1,2}$)/, '.')
  return currency && /^\d+(\.\d+)?$/.test(amount)
    ? formatNumber(Number(amount), { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
    : (price ?? '')
}
