import { findingCopy } from '#src/components/problem/probe-copy.ts'
import type { Finding } from '#src/local/probe/report.ts'
import { Notice } from '#src/ui/Notice.tsx'

const KINDS = { info: 'info', warn: 'warning', block: 'error' } as const

/** The findings of a check, one notice each. @param isLive announces them to screen readers */
export function Findings({
  findings,
  isLive,
}: {
  readonly findings: readonly Finding[]
  readonly isLive: boolean
}) {
  return findings.map((finding) => {
    const copy = findingCopy(finding)
    return (
      <Notice key={finding.ruleId} kind={KINDS[finding.verdict]} title={copy.title} isLive={isLive}>
        {copy.body ?? undefined}
      </Notice>
    )
  })
}
