import { isKept, lineOf, type Figure } from './figure.ts'

/** Whether an edit keeps every bound that was measured of it. */
export interface Verdict {
  /** Slug of the edit, or what several share. */
  readonly edit: string
  readonly bounds: number
  readonly missed: readonly Figure[]
}

/**
 * One verdict for each of the edits in their order, then one for each other thing that figures are
 * of. An edit without a figure that has a bound has none kept.
 */
export function verdictsOf(
  edits: readonly string[],
  figures: readonly Figure[],
): readonly Verdict[] {
  const all = new Set([...edits, ...figures.map(({ edit }) => edit)])
  return [...all].map((edit) => {
    const bounded = figures.filter((each) => each.edit === edit && each.bound !== undefined)
    return { edit, bounds: bounded.length, missed: bounded.filter((each) => !isKept(each)) }
  })
}

/** The verdicts as a table, and below it each figure that misses its bound. */
export function summaryOf(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(
    ({ edit, bounds, missed }) =>
      `| ${edit} | ${bounds - missed.length} of ${bounds} | ${wordOf({ bounds, missed })} |`,
  )
  const missed = verdicts.flatMap((verdict) => verdict.missed.map(lineOf))
  return [
    '| edit | bounds kept | verdict |',
    '|---|---|---|',
    ...rows,
    ...(missed.length === 0 ? [] : ['', 'Missed:', '', ...missed]),
    '',
  ].join('\n')
}

function wordOf({ bounds, missed }: Pick<Verdict, 'bounds' | 'missed'>): string {
  if (bounds === 0) return 'not measured'
  return missed.length === 0 ? 'met' : '**missed**'
}
