import { folded } from '../platform/folded.ts'
import { formatNumber } from '../platform/language.ts'

/** A price in a currency, by its ISO code, where it is a number; else as it was written. */
export function priceIn(currency: string | null | undefined, price: string | null) {
  const amount = folded(price ?? '')
    .trim()
    .replace(/[,٫](?=\d{1,2}$)/, '.')
  return currency && /^\d+(\.\d+)?$/.test(amount)
    ? formatNumber(Number(amount), { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
    : (price ?? '')
}
