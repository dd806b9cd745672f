/** One measured figure of an edit and the bound that it has to keep. */
export interface Figure {
  /** Slug of the edit, or what several share. */
  readonly edit: string
  /** What was measured, and of which source. */
  readonly of: string
  readonly value: number
  /** `''` for a share of 0..1. */
  readonly unit: string
  /** Left out = nothing but said: a figure that explains another. */
  readonly bound?: { readonly atLeast: number } | { readonly atMost: number }
}

/** One part of the bench: renders edits by the server's own path and measures what came out. */
export type Section = () => AsyncIterable<Figure>

/** Whether a figure keeps its bound; one that could not be measured (NaN) does not. */
export function isKept({ value, bound }: Figure): boolean {
  if (bound === undefined) return true
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost
}

/** One line of the table: the figure, its bound, and the one divided by the other. */
export function lineOf(figure: Figure): string {
  const { edit, of, value, unit, bound } = figure
  const measured = `${round(value)}${unit === '' ? '' : ` ${unit}`}`
  if (bound === undefined) return `| ${edit} | ${of} | ${measured} | | | |`
  const limit = 'atLeast' in bound ? bound.atLeast : bound.atMost
  const sign = 'atLeast' in bound ? '>=' : '<='
  // Nothing is a share of a bound of nothing.
  const share = limit === 0 ? '' : round(value / limit)
  const verdict = isKept(figure) ? 'kept' : '**missed**'
  return `| ${edit} | ${of} | ${measured} | ${sign} ${round(limit)} | ${share} | ${verdict} |`
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)))
}
