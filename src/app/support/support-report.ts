import { describeBug, withoutUserData } from '#src/lib/describe-bug.ts'
import type { KeptLine } from '#src/local/db/kept-log.ts'

export interface Situation {
  /** Path of the page, without query and hash. */
  readonly path: string
  readonly browser: string
  readonly at: Date
  /** Oldest first. */
  readonly lines: readonly KeptLine[]
}

/**
 * What support needs, as text to copy: page, browser, time and the last log lines of this device.
 * Nothing of the person: no mail address, no file names, and of addresses only the path.
 */
export function supportReport(situation: Situation): string {
  return reportOf(situation, [])
}

/**
 * The same for a failure that ended a screen, with the failure first. Its message is included,
 * since the person sees this failure and chooses to copy it.
 */
export function crashReport(thrown: unknown, situation: Situation): string {
  const { name, code, place, stack } = describeBug(thrown)
  if (!(thrown instanceof Error))
    return reportOf(situation, ['Something that is not an error was thrown'])
  return reportOf(situation, [
    `${name}: ${withoutUserData(thrown.message)}`,
    ...(code === null ? [] : [`Code: ${code}`]),
    ...(place === null ? [] : [`Place: ${place}`]),
    ...(stack === null ? [] : [`Stack: ${stack}`]),
  ])
}

function reportOf({ path, browser, at, lines }: Situation, failure: readonly string[]): string {
  return [
    `Onecut, ${at.toISOString()}`,
    `Page: ${path}`,
    `Browser: ${browser}`,
    ...failure,
    ...(lines.length === 0 ? [] : ['', 'Last messages:', ...lines.map(lineOf)]),
  ].join('\n')
}

function lineOf({ atEpochMs, level, area, message, facts }: KeptLine): string {
  const known = Object.entries(facts).filter(([, value]) => value !== null)
  const words = known.map(([key, value]) => `${key}=${String(value)}`).join(', ')
  const line = `${new Date(atEpochMs).toISOString()} ${level} [${area}] ${message}`
  return words === '' ? line : `${line} (${words})`
}
