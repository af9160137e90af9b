/** Compares measurements with their budgets. Each measurement gets a line, and the exit code is 1 if any exceeds its budget. */

export interface Budget {
  what: string
  value: number
  budget: number
  unit: string
}

export const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

export const isOver = ({ value, budget }: Pick<Budget, 'value' | 'budget'>) => !(value <= budget)

export function lineOf({ what, value, budget, unit }: Budget) {
  const digits = budget < 1 ? 3 : budget < 100 ? 1 : 0
  return `${isOver({ value, budget }) ? '✗' : ' '} ${value.toFixed(digits).padStart(7)} of ${String(budget).padStart(4)} ${unit}  ${what}`
}

/** Prints the measurements. Sets the exit code to 1 if one is over its budget. */
export function report(lines: Budget[]) {
  for (const one of lines) console.log(lineOf(one))
  if (lines.some(isOver)) process.exitCode = 1
}
