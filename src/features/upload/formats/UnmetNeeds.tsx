import { TriangleAlert } from 'lucide-react'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import type { Finding } from '#src/local/probe/report.ts'

/** The unmet needs of the chosen formats; see `unmetNeeds`. */
export function UnmetNeeds({ findings }: { readonly findings: readonly Finding[] }) {
  const bodies = [...new Set(findings.map((finding) => findingCopy(finding).body))].filter(
    (words) => words !== null,
  )
  return (
    <div
      role="status"
      className={
        findings.length === 0
          ? ''
          : 'mb-3 flex gap-2 border-b border-line pb-3 text-sm leading-snug'
      }
    >
      {findings.length === 0 ? null : (
        <>
          <TriangleAlert aria-hidden className="size-4.5 shrink-0 text-warn" />
          <div className="min-w-0">
            {findings.map((finding) => (
              <p key={String(finding.facts['format'])} className="font-medium">
                {findingCopy(finding).title}
              </p>
            ))}
            <p className="text-ink-muted">{bodies.join(' ')}</p>
          </div>
        </>
      )}
    </div>
  )
}
