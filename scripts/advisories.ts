/** What the registry knows of holes in the packages of production, with a sentence. */
export interface AdvisoryVerdict {
  readonly kind: 'good' | 'bad' | 'unknown'
  readonly text: string
}

/** What `npm audit --json` says of one package (report version 2). */
interface Hole {
  readonly name: string
  readonly severity: string
  readonly range: string
}

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical'])

/**
 * Reads what `npm audit --json` printed. Grave holes are bad; of lesser ones the sentence speaks.
 * Whatever is no report means that nothing is known: not every registry answers such questions.
 */
export function readAdvisories(json: string): AdvisoryVerdict {
  const holes = holesIn(json)
  if (holes === null)
    return {
      kind: 'unknown',
      text: 'Known holes of packages were not looked for, because the registry does not answer that question.',
    }
  if (holes.length === 0)
    return { kind: 'good', text: 'The registry knows no hole in the packages that run here.' }
  const list = holes.map(({ name, severity, range }) => `${name} ${range} (${severity})`).join(', ')
  return holes.some(({ severity }) => GRAVE.has(severity))
    ? {
        kind: 'bad',
        text: `The registry knows holes, so update Onecut or these packages: ${list}.`,
      }
    : { kind: 'good', text: `The registry knows only lesser holes: ${list}.` }
}

function holesIn(json: string): readonly Hole[] | null {
  try {
    const report = JSON.parse(json) as {
      readonly auditReportVersion?: unknown
      readonly vulnerabilities?: Readonly<Record<string, Hole>>
    } | null
    if (report?.auditReportVersion !== 2 || report.vulnerabilities === undefined) return null
    return Object.values(report.vulnerabilities)
  } catch {
    return null
  }
}
